import { isObject } from '../../canonical/json/members.ts';
import { readObjects, readText } from '../../canonical/json/read.ts';
import type { JsonObject } from '../../canonical/wire.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { fetchAdminObject, findAdmin, type AdminAddress } from '../admin-client.ts';
import { tabulate } from '../align-columns.ts';
import { checkFormat, MisuseError, parseOptions, takeOperand } from '../command.ts';
import { requestsOptions } from '../options/requests.ts';
import { cell, readFrom, writeQuery } from './period.ts';

/** The most requests of one page of the admin API. */
const PAGE = 500;

const tokensOf = ({ usage }: JsonObject): string =>
  isObject(usage) ? `${cell(usage['input'])}/${cell(usage['output'])}` : '-';

/** By the title of the column. */
const columns: Readonly<Record<string, (request: JsonObject) => string>> = {
  TIME: ({ time }) => cell(time),
  ID: ({ id }) => cell(id),
  KEY: ({ organization, project, key }) => [organization, project, key].map(cell).join('/'),
  MODEL: ({ model }) => cell(model),
  TARGET: ({ target }) => cell(target),
  STATUS: ({ status }) => cell(status),
  OUTCOME: ({ outcome, state }) => cell(outcome ?? state),
  CODE: ({ code }) => cell(code),
  MS: ({ durationMs }) => cell(durationMs),
  TOKENS: tokensOf,
  COST: ({ cost }) => cell(cost),
};

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
  const [id, options] = takeOperand(args);
  const values = parseOptions(options, requestsOptions);
  const { config, admin, token, format, limit, from, to, last, ...filters } = values;
  checkFormat(format);
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
  console.log(format === 'json' ? JSON.stringify(found, undefined, 2) : tabulate(columns, found));
  return 0;
}
