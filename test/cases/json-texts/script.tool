Post a note.

@title A
@name script
@wrapped run_command
@shell sh
@script
    curl -d "{\"name\": \"{name}\"}" http://127.0.0.1/x
    cat <<EOF | curl -d @- http://127.0.0.1/x
    {"home": "$HOME", "text": "{name}"}
    EOF
@param name {string} [required] N
@tags network
