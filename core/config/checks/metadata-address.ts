import { readList } from '../../canonical/json/read.ts';
import { isMetadataHost, normalizeHost } from '../../services/network/metadata-address.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { collectTexts, isOption } from '../secrets/secret-paths.ts';
import type { Check } from './check.ts';
import { member } from './tolerant.ts';

const isAddress = (path: Path): boolean => isOption(path) || (path[0] === 'providers' && path[2] === 'fetchMedia');

/**
 * No URL may be a metadata address, unless the operator allows it for that provider. The addresses to which names
 * resolve are checked by each connection.
 */
export const checkMetadataAddress: Check = ({ data }) =>
  collectTexts({ providers: member(data, 'providers'), plugins: member(data, 'plugins') }).flatMap(
    ([path, value]): readonly Finding[] => {
      if (!isAddress(path) || !/^https?:/i.test(value) || !URL.canParse(value)) return [];
      const { hostname } = new URL(value);
      if (!isMetadataHost(hostname)) return [];
      const isProvider = path[0] === 'providers' && path[2] === 'config';
      const allowed = isProvider
        ? readList(member(member(member(data, 'providers'), String(path[1])), 'allowMetadata'))
        : [];
      if (allowed.some((host) => typeof host === 'string' && normalizeHost(host) === normalizeHost(hostname)))
        return [];
      const remedy = isProvider
        ? ` If the provider really has this address, add ${normalizeHost(hostname)} to ` +
          `providers.${path[1]}.allowMetadata.`
        : '';
      return [
        {
          path,
          rule: 'metadata-address',
          message:
            `${describePath(path)} is a cloud metadata address, which serves the credentials of this machine. ` +
            `Calls to it are refused.${remedy}`,
        },
      ];
    },
  );
