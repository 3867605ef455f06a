import { readFile } from 'node:fs/promises';
import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import { isObject } from '../../canonical/json/members.ts';
import type { JsonObject, Operation } from '../../canonical/wire.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { loadConfig } from '../../config/load.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { closeAll, type Closable } from '../../extensions/close.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { receiveJson } from '../../exchange/request/receive.ts';
import { explainedOperations, type ExplainRequest } from '../../http/admin/explain.ts';
import type { LinkPrimary } from '../../server/link/link.ts';
import { createExplain } from '../../server/explain/explain.ts';
import type { Explanation } from '../../server/explain/explanation.ts';
import { refuseFetch } from '../../server/explain/refuse-fetch.ts';
import { openProcessContext } from '../../server/process-context.ts';
import { openRuntime } from '../../server/runtime.ts';
import { startServing } from '../../server/serving/serving.ts';
import { systemClock } from '../../services/clock.ts';
import { createLog } from '../../services/log/log.ts';
import { DEFAULT_CONFIG, MisuseError, parseOptions } from '../command.ts';
import { writeExplanation } from './format-explanation.ts';

const readBody = async (file: string): Promise<JsonObject> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new MisuseError(`--body ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const body = receiveJson(bytes);
  if (isObject(body)) return body;
  throw new MisuseError(`--body ${file} must hold a JSON object: the body that a client would send.`);
};

const readOperation = (text: string): Operation => {
  const found = explainedOperations.find((operation) => operation === text);
  if (found !== undefined) return found;
  throw new MisuseError(`--operation must be one of ${explainedOperations.join(', ')}, not "${text}".`);
};

/**
 * Refuses every request: the primary instances run in the gateway's process, and a new one here would have counted
 * nothing.
 */
const createRefusingLink =
  (refused: Set<string>): LinkPrimary =>
  (plugin) => ({
    call: () => {
      refused.add(plugin);
      return Promise.reject(
        new GatewayError(
          'service_unavailable',
          `The state of ${plugin} is in the process of the gateway and is not available here.`,
        ),
      );
    },
  });

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
  const opened: Closable[] = [];
  const refused = new Set<string>();
  try {
    const runtime = await openRuntime(
      await openProcessContext(loaded, { log: createLog('silent'), clock: systemClock }, opened),
      loaded,
    );
    opened.push({ name: 'instances that explain', close: () => closeAll(runtime.opened) });
    const serving = await startServing(runtime, createRefusingLink(refused), { fetch: refuseFetch });
    // What an instance calls at its start is not about the request.
    refused.clear();
    const explanation = await createExplain(runtime, async () => serving)(request);
    const explaining = loaded.extensions.plugins
      .filter((_, index) => serving.plugins[index]?.explain !== undefined)
      .map(({ use }) => use);
    const notes = [
      ...(explanation.notes ?? []),
      ...explaining.filter((use) => refused.has(use)).map((use) => describeUnknown(use, loaded.config)),
    ];
    return notes.length === 0 ? explanation : { ...explanation, notes };
  } finally {
    await closeAll(opened);
  }
};

/** `koine explain`: prints what the gateway would do with a request. Exit code 1 where it would be refused. */
export async function explain(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { config, format, key, model, wire, operation, stream, all, organization, project, user, tags, body } =
    parseOptions(args, {
      config: { type: 'string', default: DEFAULT_CONFIG },
      format: { type: 'string', default: 'text' },
      key: { type: 'string' },
      model: { type: 'string' },
      wire: { type: 'string' },
      operation: { type: 'string' },
      stream: { type: 'boolean' },
      all: { type: 'boolean' },
      organization: { type: 'string' },
      project: { type: 'string' },
      user: { type: 'string' },
      tags: { type: 'string' },
      body: { type: 'string' },
    });
  if (format !== 'text' && format !== 'json') throw new MisuseError(`--format must be text or json, not "${format}".`);
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
