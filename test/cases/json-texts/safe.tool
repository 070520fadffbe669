Post what no quote can end.

@title Safe
@name safe
@wrapped run_command
@shell sh
@script
    jq -n --arg name {name} '{name: $name}' | curl --data-binary @- http://127.0.0.1/
    curl -d '{"n": {n}, "kind": "{kind}", "plain": "{plain}"}' http://127.0.0.1/
    grep -e '["{name}"]' f
    printf '%s' "[not json {name}]" '{{name: "{name}"}}'
@param name {string} [required] N
@param n {integer} [required] N
@param kind {"a"|"b"} [required] N
@param plain {string} [required, pattern=/[\w.-]+/] P
@tags network
