import { isObject } from '../../../../canonical/json/members.ts';
import { readList } from '../../../../canonical/json/read.ts';
import type { Fetch } from '../../../../contracts/services.ts';
import { GatewayError } from '../../../../errors/gateway-error.ts';
import { parseJson } from '../../../../framing/json.ts';

const TIMEOUT_MS = 10_000;
/** Of 999 groups each. */
const MOST_PAGES = 50;
const PAGE_LINK = '@odata.nextLink';

/**
 * Reads the ids of all groups. The link in the token is not used: it names an API that does not exist any more. Links
 * to further pages are followed at the same origin only, since the access token goes with each request.
 * https://learn.microsoft.com/graph/paging
 * @throws GatewayError `service_unavailable`
 */
export async function readGroups(first: string, accessToken: string, fetch: Fetch): Promise<readonly string[]> {
  const { host, origin } = new URL(first);
  const fail = (reason: string): never => {
    throw new GatewayError(
      'service_unavailable',
      `You have more groups than fit into a sign-in, and ${host} did not list them (${reason}). Ask an operator to ` +
        'add a scope that allows it to admin.oidc.scopes, such as GroupMember.Read.All.',
    );
  };
  const groups: string[] = [];
  let next: string | undefined = first;
  for (let page = 0; next !== undefined; page += 1) {
    if (page === MOST_PAGES) fail(`more than ${MOST_PAGES} pages`);
    const { status, body } = await fetch(next, {
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
    });
    const listed = parseJson(new TextDecoder().decode(body));
    if (status !== 200 || !isObject(listed)) return fail(`status ${status}`);
    for (const group of readList(listed['value']))
      if (isObject(group) && typeof group['id'] === 'string') groups.push(group['id']);
    const link = listed[PAGE_LINK];
    if (link === undefined) return groups;
    if (typeof link !== 'string' || !URL.canParse(link) || new URL(link).origin !== origin)
      return fail('a link to another address');
    next = link;
  }
  return groups;
}
