Code that reaches for a process.

@title Script
@name script
@param x {string} X
@cwd {x}
@limit memory=1GiB
@code
