import { isObject } from '../../canonical/json/members.ts';
import { readObjects, readText } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { fetchAdminObject, findAdmin, type AdminAddress } from '../admin-client.ts';
import { alignColumns } from '../align-columns.ts';
import { MisuseError, parseOptions } from '../command.ts';
import { requestsOptions } from '../options/requests.ts';
import { readFrom, writeQuery } from './period.ts';

/** The most requests of one page of the admin API. */
const PAGE = 500;

const cell = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '-');

const tokensOf = ({ usage }: JsonObject): string =>
  isObject(usage) ? `${cell(usage['input'])}/${cell(usage['output'])}` : '-';

const columns = ['TIME', 'ID', 'KEY', 'MODEL', 'TARGET', 'STATUS', 'OUTCOME', 'CODE', 'MS', 'TOKENS', 'COST'] as const;

const formatRequests = (requests: readonly JsonObject[]): string =>
  alignColumns(
    columns,
    requests.map((each) => [
      cell(each['time']),
      cell(each['id']),
      ['organization', 'project', 'key'].map((name) => cell(each[name])).join('/'),
      cell(each['model']),
      cell(each['target']),
      cell(each['status']),
      cell(each['outcome'] ?? each['state']),
      cell(each['code']),
      cell(each['durationMs']),
      tokensOf(each),
      cell(each['cost']),
    ]),
  );

/** All pages of a search until it has so many requests. */
const search = async (
  admin: AdminAddress,
  parameters: Readonly<Record<string, string | undefined>>,
  limit: number,
): Promise<readonly JsonObject[]> => {
  const found: JsonObject[] = [];
  for (let cursor = ''; ;) {
    const page = Math.min(PAGE, limit - found.length);
    const query = writeQuery({ ...parameters, limit: String(page), ...(cursor === '' ? {} : { cursor }) });
    const body = await fetchAdminObject(admin, `/admin/requests?${query}`);
    found.push(...readObjects(body['requests']));
    cursor = readText(body['next']);
    if (cursor === '' || found.length >= limit) return found;
  }
};

const readLimit = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new MisuseError(`--limit must be a count of at least 1, not "${text}".`);
};

/** `koine requests`: what GET /admin/requests of a running gateway finds. */
export async function findRequests(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [first = ''] = args;
  const id = first === '' || first.startsWith('-') ? undefined : first;
  const values = parseOptions(id === undefined ? args : args.slice(1), requestsOptions);
  const { config, admin, token, format, limit, from, to, last, ...filters } = values;
  if (format !== 'text' && format !== 'json') throw new MisuseError(`--format must be text or json, not "${format}".`);
  const address = await findAdmin({ config, admin, token }, builtIns);
  if (id !== undefined) {
    console.log(
      JSON.stringify(await fetchAdminObject(address, `/admin/requests/${encodeURIComponent(id)}`), undefined, 2),
    );
    return 0;
  }
  const { 'min-duration-ms': minDurationMs, 'min-cost': minCost, ...names } = filters;
  const parameters = { ...names, minDurationMs, minCost, to, from: readFrom({ from, to, last }, Date.now()) };
  const found = await search(address, parameters, readLimit(limit));
  console.log(format === 'json' ? JSON.stringify(found, undefined, 2) : formatRequests(found));
  return 0;
}
