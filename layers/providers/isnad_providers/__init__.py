"""Voice providers: what each asks for and gives, and how a credential of it is issued."""
