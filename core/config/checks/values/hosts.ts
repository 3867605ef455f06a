import { describePath } from '../../describe-path.ts';
import type { Finding, Path } from '../../problem.ts';
import type { Check } from '../check.ts';
import { member, text } from '../tolerant.ts';

/** A scheme, a path, or a port behind a name. `::1` is an address. */
const NOT_A_HOST = /:\/\/|\/|^[^:]*:\d+$|^\[.*\]/;

/** The host of a listener is a name or an address alone: its port is a setting of its own. */
export const checkHosts: Check = ({ data, isWritten }) =>
  ['server', 'admin'].flatMap((listener): readonly Finding[] => {
    const path: Path = [listener, 'host'];
    const host = text(member(member(data, listener), 'host'));
    if (host === undefined || !isWritten(path) || !NOT_A_HOST.test(host)) return [];
    return [
      {
        path,
        rule: 'invalid-address',
        message:
          `${describePath(path)} must be a name or an address alone, such as 127.0.0.1 or ::1: without a scheme, a ` +
          `path or brackets, and with the port in ${listener}.port.`,
      },
    ];
  });
