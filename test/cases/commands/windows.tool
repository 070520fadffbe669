Runs what it is given.

@title Windows
@name windows
@wrapped run_command
@shell(linux) pwsh
@shell(macos) pwsh
@shell(windows) cmd
@script(linux)
    $tool = {name}
    & $tool --version
    Start-Process git -ArgumentList log, {name}
    "hello {name}"
@script(macos) iex "git log {name}"
@script(windows)
    call {name}
    echo done
@fallback echo {name}
@param name {string} [required] Which
@tags run
