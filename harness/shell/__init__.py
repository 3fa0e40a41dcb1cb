"""The JavaScript shell: QuickJS, a prelude and one function that sends commands."""
