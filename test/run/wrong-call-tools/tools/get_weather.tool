Say what the weather will be.

@title Weather
@name get_weather
@wrapped run_command
@command printf '%s\n' {city} {days} {units}
@param city {string} [required] Where
@param days {integer} [min=1, max=14] How far ahead
@param units {"celsius"|"fahrenheit"} Of temperatures
@tags read
