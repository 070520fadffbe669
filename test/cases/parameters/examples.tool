Words.

@title Examples
@name examples
@wrapped run_command
@command echo {count} {names}
@param count {integer} [required, max=5] Count
@param names {array<string>} Names
@example {"count": "3"}
@example {"count": 9, "namse": ["a"]}
@example {"names": "a"}
@example {"name": "examples", "arguments": {"count": 1}}
@example {"count": 1,}
@example [1]
@example {count: 1}
