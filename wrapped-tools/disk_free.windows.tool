Show how much space is left on each drive, or on the one that a path is on.

@title Disk Space
@name disk_free
@param path {path} Only the drive with which this path begins, such as C:\Users; another path shows all
@step(windows) printed runs
    powershell -NoProfile -NonInteractive -Command '[IO.DriveInfo]::GetDrives() | Where-Object IsReady | ForEach-Object {{ "$($_.Name) $($_.TotalSize) $($_.AvailableFreeSpace)" }}'
@step shown code
    const drive = /^[A-Za-z]:/.exec(args.path ?? "")?.[0].toUpperCase();
    const rows = steps.printed.output.split("\n").map((line) => line.trim().split(" ")).filter((row) => row.length === 3);
    if (rows.length === 0) throw new Error("PowerShell printed no drives");
    const gigabytes = (bytes) => `${(bytes / 2 ** 30).toFixed(1)}G`;
    const line = (cells) => `${cells.map((cell) => cell.padStart(10)).join(" ")}\n`;
    return line(["Filesystem", "Size", "Used", "Avail", "Use%"]) + rows
        .filter(([name]) => drive === undefined || name.toUpperCase().startsWith(drive))
        .map(([name, size, free]) => line([name, gigabytes(size), gigabytes(size - free), gigabytes(free), `${Math.round(100 * (1 - free / size))}%`]))
        .join("");
@tags read system
@keywords space full mount df
@requires powershell
@platforms windows
@example {"path": "C:\\"}

@test shows the drives
    with {"path": "."}
    expect exit-code 0
    expect output-contains %
