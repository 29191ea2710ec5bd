"""The verbs of the command line as tools of the Model Context Protocol, on stdio: all of them for the operator's own
programs, a smaller set for the agent of a session. One module a noun; nothing here decides. Only `cli.mcp` loads it."""
