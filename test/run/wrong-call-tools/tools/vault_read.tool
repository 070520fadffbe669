Read an entry of a vault.

@title Vault
@name vault_read
@wrapped run_command
@command printf '%s\n' {entry}
@env TOKEN={token}
@param entry {string} [required] Which one
@param token {string} [required, secret] What opens it
@tags read
