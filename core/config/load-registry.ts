import { GatewayError } from '../errors/gateway-error.ts';
import type { BuiltIns } from '../extensions/extension.ts';
import { createRegistry, type Registry } from '../extensions/registry.ts';
import { jsonArray } from '../framing/json-array.ts';
import { ndjson } from '../framing/ndjson.ts';
import { sse } from '../framing/sse.ts';
import type { LocatedExtension } from './load-extensions.ts';
import type { Finding } from './problem.ts';

/** The codecs and framings of every built-in provider, configured or not, and of the other providers of the file. */
export function loadRegistry(
  builtIns: BuiltIns,
  providers: readonly LocatedExtension<'provider'>[],
): { readonly registry: Registry; readonly findings: readonly Finding[] } {
  const registry = createRegistry([sse, jsonArray, ndjson]);
  Object.values(builtIns.provider).forEach(registry.add);
  const findings: Finding[] = [];
  const added = new Set<string>(['built-in']);
  for (const { path, extension } of providers) {
    if (added.has(extension.source)) continue;
    added.add(extension.source);
    try {
      registry.add(extension.definition);
    } catch (thrown) {
      if (!GatewayError.is(thrown)) throw thrown;
      findings.push({ path, rule: thrown.code, message: thrown.message });
    }
  }
  return { registry, findings };
}
