Convert a date: between time zones, and to and from seconds since 1970.

@title Convert Date
@name date_convert
@wrapped run_command
@shell(windows) pwsh
@script(windows)
    $when = {when}
    $date = if ($when -match '^@(-?\d+)$') {{ [DateTimeOffset]::FromUnixTimeSeconds([long]$Matches[1]) }}
        elseif ($when -eq 'now') {{ [DateTimeOffset]::UtcNow }}
        else {{ [DateTimeOffset]::Parse($when.Replace(' UTC', 'Z'), [cultureinfo]::InvariantCulture, 'AssumeUniversal') }}
    $there = [TimeZoneInfo]::ConvertTime($date, [TimeZoneInfo]::FindSystemTimeZoneById({zone}))
    $signs = @{{
        Y = 'yyyy'; m = 'MM'; d = 'dd'; H = 'HH'; M = 'mm'; S = 'ss'; A = 'dddd'; a = 'ddd'; B = 'MMMM'; b = 'MMM'
        y = 'yy'; I = 'hh'; p = 'tt'; ':z' = 'zzz'; F = 'yyyy-MM-dd'; T = 'HH:mm:ss'
    }}
    [regex]::Replace({format}, '%(:z|.)', {{
        param($found)
        $sign = $found.Groups[1].Value
        if ($sign -ceq 's') {{ return [string]$there.ToUnixTimeSeconds() }}
        if ($sign -eq '%') {{ return '%' }}
        foreach ($key in $signs.Keys) {{ if ($key -ceq $sign) {{ return $there.ToString($signs[$key], [cultureinfo]::InvariantCulture) }} }}
        throw "date_convert does not know %$sign"
    }})
@param when {string} [default=now, example="2026-01-31 18:00 UTC"] A date, `@SECONDS` since 1970, or `now`; no other words
@param zone {string} [default=UTC, pattern=/[A-Za-z0-9_+\/-]+/, example=Europe/Zurich] Of the answer
@param format {string} [default="%Y-%m-%dT%H:%M:%S%:z"] As for `date`: %s is seconds since 1970, %A the weekday
@tags read time
@keywords time zone epoch timestamp weekday
@platforms windows
@example {"when": "@0", "zone": "Asia/Tokyo"}

@test turns seconds into a date
    with {"when": "@86400"}
    expect output-equals 1970-01-02T00:00:00+00:00

@test turns a date into seconds
    with {"when": "1970-01-02 00:00 UTC", "format": "%s"}
    expect output-equals 86400
