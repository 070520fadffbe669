#!/bin/sh
# sh install.sh [RELEASE [FOLDER]]: installs dottool for one user, without root.
# RELEASE is a folder made by `npm run release`, or its address (https:// or file://); without it, the folder of this
# script, or where it was downloaded from. FOLDER is where the executable goes: ~/.local/bin. An existing dottool is replaced only by a file that has the
# checksum in SHA256SUMS and starts. The checksums come from RELEASE too: they find damage, not a malicious RELEASE.
# To uninstall: rm ~/.local/bin/dottool. Your rules are in ~/.config/dottool, your approvals in ~/.local/state/dottool,
# and ~/.cache/dottool can always be deleted.
set -eu

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

get() {
  case $release in
    https://* | file://*)
      command -v curl >/dev/null || fail '`curl` is not installed'
      curl -fsSL --proto '=https,file' --proto-redir '=https' -o "$2" -- "$release/$1" ||
        fail "\`$release/$1\` could not be read"
      ;;
    *://*) fail "\`$release\` is not a folder or an address that begins with https:// or file://" ;;
    *) cp -- "$release/$1" "$2" || fail "\`$release/$1\` could not be read" ;;
  esac
}

sha256_of() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# Prints the executable that a launcher, as `dottool resident launcher` writes it, stands for; nothing for other files.
launched_by() {
  tr '\000' '\n' <"$1" 2>/dev/null | LC_ALL=C sed -n '/^dottool-launcher-place-1$/,$ { /^\//{p;q;}; }'
}

# At a terminal, asks whether completions shall be written for the person's shell. `curl … | sh` has no standard input.
offer_completions() {
  [ -t 2 ] && [ -r /dev/tty ] || return 0
  case ${SHELL##*/} in
    bash) place=${XDG_DATA_HOME:-$HOME/.local/share}/bash-completion/completions/dottool ;;
    fish) place=${XDG_CONFIG_HOME:-$HOME/.config}/fish/completions/dottool.fish ;;
    zsh)
      printf 'for completions, add to ~/.zshrc: source <(dottool completions zsh)\n'
      return 0
      ;;
    *) return 0 ;;
  esac
  [ ! -e "$place" ] || return 0
  printf 'write completions for %s to %s? [y/N] ' "${SHELL##*/}" "$place" >&2
  read -r answer </dev/tty || return 0
  case $answer in
    [yY] | [yY]es) ;;
    *) return 0 ;;
  esac
  mkdir -p -- "$(dirname -- "$place")"
  "$folder/dottool" completions "${SHELL##*/}" >"$place"
}

# Everything is in a function, so that a script that arrives cut off does nothing.
install_dottool() {
  release=${1:-$(dirname -- "$0")}
  folder=${2:-${HOME:?}/.local/bin}
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) name=dottool-linux-x64 ;;
    Linux-aarch64 | Linux-arm64) name=dottool-linux-arm64 ;;
    Darwin-arm64) name=dottool-darwin-arm64 ;;
    *) fail "there is no dottool for $(uname -s) $(uname -m); there is for Linux x86_64 and arm64, and macOS arm64" ;;
  esac
  mkdir -p -- "$folder"
  # A launcher stays, and starts what takes the place of its executable.
  file=$folder/dottool
  if [ -f "$file" ] && [ "$(wc -c <"$file")" -lt 102400 ]; then
    behind=$(launched_by "$file")
    if [ -n "$behind" ] && [ -d "$(dirname -- "$behind")" ]; then file=$behind; fi
  fi
  # In the same file system, so that the last step is one rename.
  work=$(mktemp -d "$(dirname -- "$file")/.dottool-install.XXXXXX")
  trap 'rm -rf -- "$work"' EXIT
  trap 'exit 130' HUP INT TERM

  get SHA256SUMS "$work/sums"
  expected=$(awk -v name="$name" '$2 == name { print $1 }' "$work/sums")
  [ -n "$expected" ] || fail "SHA256SUMS of \`$release\` has no line for \`$name\`"
  get "$name" "$work/dottool"
  actual=$(sha256_of "$work/dottool")
  [ "$actual" = "$expected" ] ||
    fail "\`$name\` has the SHA-256 $actual, but SHA256SUMS has $expected; nothing was installed"
  chmod 755 "$work/dottool"
  version=$("$work/dottool" --version) || fail "\`$name\` does not start on this system; nothing was installed"
  mv -f -- "$work/dottool" "$file"
  printf 'installed %s as %s\n' "$(printf '%s\n' "$version" | head -n 1)" "$file"
  [ "$file" = "$folder/dottool" ] || printf '%s is a launcher for it, and stays\n' "$folder/dottool"
  case :$PATH: in
    *:"$folder":*) ;;
    *) printf '%s is not on your PATH yet\n' "$folder" ;;
  esac
  offer_completions
}

install_dottool "$@"
