// The rule of a variable that is a URL. Errors say what the URL lacks, and never repeat its value,
// which may contain a password.
import Joi from 'joi';

/** Says what a URL lacks; undefined if it is valid. `prefix` is its scheme with ://. */
type UrlFault = (value: string, prefix: string) => string | undefined;

/** A URL with one of the schemes and without a fault of its own. */
export function url(
  schemes: readonly string[],
  faultOf: UrlFault = generalFault,
): Joi.StringSchema {
  const prefixes = schemes.map(scheme => `${scheme}://`);
  return Joi.string().custom((value: string, helpers) => {
    const prefix = prefixes.find(each => value.startsWith(each));
    const fault =
      prefix === undefined
        ? `must be a URL that starts with ${prefixes.join(' or ')}`
        : faultOf(value, prefix);
    return fault === undefined ? value : helpers.message({ custom: `{#label} ${fault}` });
  });
}

// redis[s]://[user:password@]host[:port][/db]
// redis[s]+sentinel://[user:password@]host[:port],…/master[/db][?sentinelPassword=…]
// redis[s]+cluster://[user:password@]host[:port],…
export const REDIS_SCHEMES = ['redis', 'rediss'].flatMap(scheme => [
  scheme,
  `${scheme}+sentinel`,
  `${scheme}+cluster`,
]);

/** The fault of a URL to which paths are appended. */
export function baseUrlFault(value: string, prefix: string): string | undefined {
  if (/[?#]/u.test(value)) return 'must have no query and no fragment: paths are appended to it';
  return generalFault(value, prefix);
}

/** The fault of a Redis URL: one host, or those of a Sentinel or a Cluster. */
export function redisFault(value: string, prefix: string): string | undefined {
  const general = generalFault(value, prefix);
  if (general) return general;
  const rest = value.slice(prefix.length);
  if (prefix.includes('+sentinel')) {
    if (!/^[^/?]+\/[^/?]+(\/\d+)?(\?|$)/u.test(rest.slice(rest.lastIndexOf('@') + 1)))
      return `must end with the name of the master, as in ${prefix}host,host/master`;
    return rest.includes('?') && !/\?sentinelPassword=[^&]+$/u.test(rest)
      ? 'may have only the parameter sentinelPassword'
      : undefined;
  }
  if (prefix.includes('+cluster'))
    return rest.includes('/') ? 'must have nothing after the hosts' : undefined;
  return rest.includes(',')
    ? 'must have one host, or start with redis+sentinel:// or redis+cluster://'
    : undefined;
}

function generalFault(value: string, prefix: string): string | undefined {
  const rest = value.slice(prefix.length);
  if (rest === '' || rest.endsWith('@')) return `must have a host after ${prefix}`;
  // A list of hosts is valid for its client, and not for the standard.
  const isValid = !/\s/u.test(rest) && (rest.includes(',') || URL.canParse(value));
  return isValid ? undefined : 'must be a valid URL without spaces';
}
