Pick and reshape values of a JSON file with a jq filter.

The filter is a jq program such as `.items[] | {name, size}`. It can import other files, and changes none.

@title JSON Query
@name jq
@wrapped run_command
@command jq --monochrome-output {compact} {raw} {sort_keys} {filter} {file}
@param filter {string} [required, example=".name"] A jq program; put one that begins with `-` in parentheses
@param file {path} [required] The JSON file
@param raw {boolean} [flag="--raw-output"] Texts without quotes
@param compact {boolean} [flag="--compact-output"] Each result on one line
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
