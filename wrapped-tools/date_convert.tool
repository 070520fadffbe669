Convert a date: between time zones, to and from seconds since 1970, or from words such as "next friday".

@title Convert Date
@name date_convert
@wrapped run_command
@command date --date={when} +{format}
@env TZ={zone}
@param when {string} [default=now, example="2026-01-31 18:00 UTC"] A date, `@SECONDS` since 1970, or words
@param zone {string} [default=UTC, pattern=/[A-Za-z0-9_+\/-]+/, example=Europe/Zurich] Of the answer
@param format {string} [default="%Y-%m-%dT%H:%M:%S%:z"] As for `date`: %s is seconds since 1970, %A the weekday
@tags read time
@keywords time zone epoch timestamp weekday
@requires date
@platforms linux
@example {"when": "@0", "zone": "Asia/Tokyo"}

@test turns seconds into a date
    with {"when": "@86400"}
    expect output-equals 1970-01-02T00:00:00+00:00

@test turns a date into seconds
    with {"when": "1970-01-02 00:00 UTC", "format": "%s"}
    expect output-equals 86400
