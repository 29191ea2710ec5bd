"""`python -m console`: the command line without the front."""

from console.cli import main

if __name__ == "__main__":
    main()
