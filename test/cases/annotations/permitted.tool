Asks for more than its folder.

@title Permitted
@name permitted
@wrapped run_command
@command echo {file}
@param file {string} [required] A file
@permissions filesystem:read:{fiel} filesystem:write:{file} network:external:{file} network:external:example.org
@writes "a b/{fiel}"
@confirm Really write {fiel}, and {{this}}?
