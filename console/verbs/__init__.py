"""What a person's command line and a program's tools (`mcp`) do alike: check what is given, ask the client, wait for
the outcome, tell it as plain data. Prints nothing and reads no arguments; what fails in an expected way is a `Fail`."""
