import { isMetadataHost, normalizeHost } from '../../services/network/metadata-address.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { collectTexts, isOption } from '../secrets/secret-places.ts';
import type { Check } from './check.ts';
import { items, member } from './tolerant.ts';

const isAddress = (path: Path): boolean => isOption(path) || (path[0] === 'providers' && path[2] === 'fetchMedia');

/** No provider and no service is there, but for a provider that the operator allows by name. Addresses that names lead to are checked by each connection. */
export const checkMetadataAddress: Check = ({ data }) =>
  [...collectTexts(data)].flatMap(([path, value]): readonly Finding[] => {
    if (!isAddress(path) || !/^https?:/i.test(value) || !URL.canParse(value)) return [];
    const { hostname } = new URL(value);
    if (!isMetadataHost(hostname)) return [];
    const isProvider = path[0] === 'providers' && path[2] === 'config';
    const allowed = isProvider
      ? items(member(member(member(data, 'providers'), String(path[1])), 'allowMetadata'))
      : [];
    if (allowed.some((host) => typeof host === 'string' && normalizeHost(host) === normalizeHost(hostname))) return [];
    const remedy = isProvider
      ? ` If a provider is there all the same, name ${normalizeHost(hostname)} in providers.${path[1]}.allowMetadata.`
      : '';
    return [
      {
        path,
        rule: 'metadata-address',
        message: `${describePath(path)} is a metadata address of a cloud, which hands out the credentials of this machine. No call may go there.${remedy}`,
      },
    ];
  });
