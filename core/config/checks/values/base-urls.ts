import { readList } from '../../../canonical/json/read.ts';
import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import type { Check } from '../check.ts';
import { entries, member, text } from '../tolerant.ts';

/** The paths of vendors' endpoints below their version: `/chat/completions`. The gateway serves the same. */
const endpointsOf = (data: unknown): readonly string[] => [
  ...new Set(
    readList(member(data, 'routes')).flatMap((route) => {
      const [, endpoint] = /^\/v\d\w*(\/[^{:]*[^{:/])$/.exec(text(member(route, 'path')) ?? '') ?? [];
      return endpoint === undefined ? [] : [endpoint];
    }),
  ),
];

/** The path of an endpoint is added to `baseUrl`: one that has it already would be called twice over. */
export const checkBaseUrls: Check = ({ data, isWritten }) => {
  const endpoints = endpointsOf(data);
  return entries(member(data, 'providers')).flatMap(([name, provider]): readonly Finding[] => {
    const path: Path = ['providers', name, 'config', 'baseUrl'];
    const url = text(member(member(provider, 'config'), 'baseUrl'))?.replace(/[/?]+$/, '') ?? '';
    const endpoint = endpoints.find((each) => url.endsWith(each));
    if (endpoint === undefined || !isWritten(path)) return [];
    return [
      {
        path,
        rule: 'invalid-address',
        message:
          `${describePath(path)} ends with ${endpoint}, the path of an endpoint, which the gateway adds itself. ` +
          'Remove it.',
      },
    ];
  });
};
