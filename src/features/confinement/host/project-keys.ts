// Which files of a project have keys and passwords, by their names: see grammar/files.yaml.
import { isProjectKey } from "../../../core/text/project-keys.ts";
import { hasCredentials } from "../../../core/text/without-credentials.ts";
import { keyPlaces } from "../../../generated/project-keys.ts";

/** `path` is below the folder of the project. */
export function holdsKeys(path: string): boolean {
  return isProjectKey(path.slice(path.lastIndexOf("/") + 1)) || (MAY_BE_PLACE.test(path) && keyPlaces.test(path));
}

/** Most paths are in none of several hundred places, which this says sooner. */
const MAY_BE_PLACE = /(?:^|\/)(?:[._]|library\/|appdata\/|snap\/)/i;

/** Whether a file of this name has a private key beside certificates, or none: its text says so. */
export function mayHoldPrivateKey(name: string): boolean {
  return /\.pem$/i.test(name);
}

export function hasPrivateKey(text: string): boolean {
  return text.includes("PRIVATE KEY-----");
}

/** Whether settings of git have a login: in an address, or in what is sent with each request. */
export function hasGitLogin(settings: string): boolean {
  return hasCredentials(settings) || /^\s*(?:extraheader|\w*(?:password|token))\s*=/im.test(settings);
}
