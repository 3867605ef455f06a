import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { entries, member } from './tolerant.ts';

/** A scheme, a host and optionally a port: it is compared with the origin of a URL. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;

/** The private origins from which a provider can fetch media must be exact. */
export const checkMediaOrigins: Check = ({ data }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]) =>
    readList(member(member(provider, 'fetchMedia'), 'allow')).flatMap((origin, index): readonly Finding[] => {
      const path: Path = ['providers', name, 'fetchMedia', 'allow', index];
      return typeof origin === 'string' && !isOrigin(origin)
        ? [
            {
              path,
              rule: 'invalid-address',
              message: `${describePath(path)} must look like https://files.internal or http://10.0.0.5:9000.`,
            },
          ]
        : [];
    }),
  );
