import { readFile } from 'node:fs/promises';
import { operationNames } from '../../canonical/operation/operations.ts';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject, Operation } from '../../canonical/wire.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { loadConfig } from '../../config/load.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { receiveJson } from '../../exchange/request/receive.ts';
import type { ExplainRequest } from '../../http/admin/explain.ts';
import type { Explanation } from '../../server/explain/explanation.ts';
import { checkFormat, MisuseError, parseOptions } from '../command.ts';
import { explainOptions } from '../options/requests.ts';
import { writeExplanation } from './format-explanation.ts';
import { createRefusingLink, withExplain } from './with-explain.ts';

const readBody = async (file: string): Promise<JsonObject> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new MisuseError(`--body ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const body = receiveJson(bytes);
  if (isObject(body)) return body;
  throw new MisuseError(`--body ${file} must hold a JSON object: the body that a client would send.`);
};

const readOperation = (text: string): Operation => {
  const found = operationNames.find((operation) => operation === text);
  if (found !== undefined) return found;
  throw new MisuseError(`--operation must be one of ${operationNames.join(', ')}, not "${text}".`);
};

const describeUnknown = (plugin: string, { store, admin }: GatewayConfig): string => {
  const why =
    store.redis === undefined
      ? 'without store.redis the counts are in the process of the running gateway'
      : 'store.redis does not respond';
  return (
    `The counts of ${plugin} so far are not available here: ${why}. ` +
    `POST /admin/explain on http://${admin.host}:${admin.port} includes them.`
  );
};

const explainWith = async (file: string, request: ExplainRequest, builtIns: BuiltIns): Promise<Explanation> => {
  const loaded = await loadConfig(file, builtIns, process.env);
  const refused = new Set<string>();
  return withExplain(loaded, createRefusingLink(refused), async (explain, { plugins }) => {
    // What an instance calls at its start is not about the request.
    refused.clear();
    const explanation = await explain(request);
    const explaining = loaded.extensions.plugins
      .filter((_, index) => plugins[index]?.explain !== undefined)
      .map(({ use }) => use);
    const notes = [
      ...(explanation.notes ?? []),
      ...explaining.filter((use) => refused.has(use)).map((use) => describeUnknown(use, loaded.config)),
    ];
    return notes.length === 0 ? explanation : { ...explanation, notes };
  });
};

/** `koine explain`: prints what the gateway would do with a request. Exit code 1 where it would be refused. */
export async function explain(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { config, format, key, model, wire, operation, stream, all, organization, project, user, tags, body } =
    parseOptions(args, explainOptions);
  checkFormat(format);
  if (key === undefined || model === undefined)
    throw new MisuseError('--key and --model are required: they select what to explain.');
  const request: ExplainRequest = omitUndefined({
    key,
    model,
    wire,
    operation: operation === undefined ? undefined : readOperation(operation),
    stream,
    all,
    organization,
    project,
    user,
    tags,
    body: body === undefined ? undefined : await readBody(body),
  });
  const explanation = await explainWith(config, request, builtIns);
  process.stdout.write(
    format === 'json' ? `${JSON.stringify(explanation, undefined, 2)}\n` : writeExplanation(explanation),
  );
  return 0;
}
