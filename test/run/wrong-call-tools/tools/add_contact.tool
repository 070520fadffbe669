Add a contact.

@title Add Contact
@name add_contact
@wrapped run_command
@command printf '%s\n' {name} {address}
@param name {string} [required] Whose
@param address {Address} [required] Where
@type Address {object} A place
@property Address.street {string} With the number
@property Address.city {string} Its name
@property Address.zip_code {string} [optional] Digits
@tags write
