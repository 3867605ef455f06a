import { isOperation } from '../../canonical/operation/operations.ts';
import { readList } from '../../canonical/json/read.ts';
import type { AnyCodec } from '../../contracts/codec.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { defaultOperation } from '../resolve/default-operation.ts';
import type { CheckContext } from './check.ts';
import { unknownReference } from './references.ts';
import { member, text } from './tolerant.ts';

/** Served by both listeners, before any route. */
const HEALTH = new Set(['/livez', '/readyz', '/startupz']);

function* checkPath(path: Path, route: unknown, seen: Map<string, Path>): Iterable<Finding> {
  const value = text(member(route, 'path'));
  if (value === undefined) return;
  const at = [...path, 'path'];
  if (HEALTH.has(value)) {
    const message = `${JSON.stringify(value)} is reserved for the health check. Choose another path.`;
    yield { path: at, rule: 'reserved-path', message };
    return;
  }
  const name = `${member(route, 'operation') === 'models' ? 'GET' : 'POST'} ${value}`;
  const first = seen.get(name);
  seen.set(name, first ?? path);
  if (first === undefined) return;
  const message = `${name} is already served by ${describePath(first)}. Remove one of the two.`;
  yield { path: at, rule: 'duplicate-route', message };
}

function* checkWire(
  context: CheckContext,
  path: Path,
  route: unknown,
  codecs: readonly AnyCodec[],
  wires: ReadonlySet<string>,
): Iterable<Finding> {
  const wire = text(member(route, 'wire'));
  const operation = text(member(route, 'operation')) ?? (wire && defaultOperation(wire, codecs));
  if (wire === undefined) {
    if (operation === 'models' || member(route, 'wire') !== undefined) return;
    yield { path, on: 'key', rule: 'missing-key', message: `${describePath(path)} needs "wire".` };
    return;
  }
  if (!wires.has(wire)) {
    yield unknownReference(context, [...path, 'wire'], wire, wires, 'wire');
    return;
  }
  const possible = codecs.filter((codec) => codec.wire === wire).map((codec): string => codec.operation);
  if (operation === undefined || !isOperation(operation) || possible.includes(operation)) return;
  const message =
    `The wire ${JSON.stringify(wire)} does not support the operation ${JSON.stringify(operation)}, only ` +
    `${possible.join(', ')}.`;
  yield { path: [...path, 'operation'], rule: 'unserved-route', message };
}

/** Every route needs a codec for clients, and a path of its own. */
export function* checkRoutes(context: CheckContext): Iterable<Finding> {
  const codecs = context.registry.codecs.filter(({ client }) => client !== undefined);
  const wires = new Set(codecs.map(({ wire }) => wire));
  const seen = new Map<string, Path>();
  for (const [index, route] of readList(member(context.data, 'routes')).entries()) {
    const path: Path = ['routes', index];
    if (!context.isWritten(path)) continue;
    yield* checkPath(path, route, seen);
    yield* checkWire(context, path, route, codecs, wires);
  }
}
