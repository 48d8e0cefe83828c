"""Who may call: bearer tokens, the keys that sign them, and the scope that each route asks for."""
