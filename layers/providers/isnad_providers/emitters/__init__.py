"""From the neutral declaration of a tool to the form that one kind of provider takes: one module a target."""
