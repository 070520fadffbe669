Pick and reshape values of a JSON file with a jq filter such as `.items[] | {name, size}`.

@title JSON Query
@name jq
@wrapped run_command
@command jq --monochrome-output {compact} {raw} {sort_keys} {filter} {file}
@param filter {string} [required, example=".name"] One that begins with `-` goes in parentheses
@param file {path} [required] The JSON file
@param raw {boolean} [flag="--raw-output"] No quotes
@param compact {boolean} [flag="--compact-output"] One line each
@param sort_keys {boolean} [flag="--sort-keys"] Keys of objects in order
@tags read data
@keywords json filter select extract
@requires jq
@limit memory=512MiB
@example {"filter": ".scripts | keys", "file": "package.json"}

@test picks a value
    setup echo '{"a": {"b": [1, 2]}}' > a.json
    with {"filter": ".a.b | add", "file": "a.json"}
    expect exit-code 0
    expect output-equals 3

@test takes no options for a filter
    setup echo '{}' > a.json
    with {"filter": "--slurp", "file": "a.json"}
    expect error-contains filter
