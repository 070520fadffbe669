Ship parcels to an address.

@title Ship
@name ship
@wrapped run_command
@command printf '%s\n' {address} {parcels} {options}
@param address {Address} [required] Where to
@param parcels {array<Parcel>} [min=1, max=5] What
@param options {object} Anything more
@type Address {object} Where somebody lives
@property Address.street {string} With the number
@property Address.city {string} Its name
@property Address.zip_code {string} [optional, pattern=/\d{4,5}/] Digits
@property Address.country {"CH"|"DE"|"FR"} [optional] Which country
@type Parcel {object} One of them
@property Parcel.weight {number} [min=0, max=30] In kilograms
@property Parcel.fragile {boolean} [optional] Handle with care
@property Parcel.labels {array<string>} [optional] Words on it
@tags read
