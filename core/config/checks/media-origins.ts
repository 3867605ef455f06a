import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check } from './check.ts';
import { entries, items, member } from './tolerant.ts';

/** Scheme, host and perhaps a port: what is compared with the origin of a URL. */
const isOrigin = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`;

/** What a provider may fetch media from beyond the public is named exactly. */
export const checkMediaOrigins: Check = ({ data }) =>
  entries(member(data, 'providers')).flatMap(([name, provider]) =>
    items(member(member(provider, 'fetchMedia'), 'allow')).flatMap((origin, index): readonly Finding[] => {
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
