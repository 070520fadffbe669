// IP addresses that are not public: loopback, private networks, cloud metadata and special-use blocks. Sources: the
// IANA special-purpose registries (RFC 6890 and successors), and the metadata addresses that clouds document.
import { BlockList, isIP } from "node:net";

/** The first row that contains an address names it, so the more specific rows come first. */
const ROWS: readonly (readonly [what: string, subnets: readonly string[]])[] = [
  [
    "cloud metadata",
    [
      "169.254.169.254/32",
      "168.63.129.16/32",
      "100.100.100.200/32",
      "192.0.0.192/32",
      "fd00:ec2::254/128",
      "fd20:ce::254/128",
    ],
  ],
  ["unspecified", ["0.0.0.0/8", "::/128"]],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["carrier-shared", ["100.64.0.0/10"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  // These carry an IPv4 address to any relay.
  ["tunnel", ["192.88.99.0/24", "2001::/32", "2002::/16", "64:ff9b:1::/48"]],
  [
    "reserved",
    [
      "192.0.0.0/24",
      "192.0.2.0/24",
      "198.18.0.0/15",
      "198.51.100.0/24",
      "203.0.113.0/24",
      "240.0.0.0/4",
      "2001::/23",
      "2001:db8::/32",
      "3fff::/20",
    ],
  ],
];

/** The two IPv6 blocks that contain an IPv4 address, which is judged itself: mapped (RFC 4291) and NAT64 (RFC 6052). */
const IPV4_CARRIERS = ["::ffff:", "64:ff9b::"];
const IPV4_CARRIER_BITS = 96;

const special = ROWS.map(([what, subnets]) => ({ what, list: listOf(subnets.flatMap(withCarried)) }));
const publicIpv6 = listOf(["2000::/3", ...IPV4_CARRIERS.map((carrier) => `${carrier}0.0.0.0/${IPV4_CARRIER_BITS}`)]);

/** Returns `loopback`, `private`, …; undefined for a public address; `unknown` for text that is not an IP address. */
export function specialRange(address: string): string | undefined {
  const bare = address.split("%", 1)[0] ?? "";
  const family = isIP(bare);
  if (family === 0) return "unknown";
  const kind = family === 4 ? "ipv4" : "ipv6";
  const row = special.find(({ list }) => list.check(bare, kind));
  if (row) return row.what;
  return family === 6 && !publicIpv6.check(bare, "ipv6") ? "reserved" : undefined;
}

function withCarried(subnet: string): readonly string[] {
  const [address = "", bits = ""] = subnet.split("/");
  return address.includes(":")
    ? [subnet]
    : [subnet, ...IPV4_CARRIERS.map((carrier) => `${carrier}${address}/${Number(bits) + IPV4_CARRIER_BITS}`)];
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = "", bits = ""] = subnet.split("/");
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}
