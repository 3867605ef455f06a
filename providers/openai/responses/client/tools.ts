import { isObject, readMembers, type JsonObject, type Members, type Tool } from '../../../../core/index.ts';
import { decodeCacheMark } from '../../chat-completions/client/parts.ts';
import { joinNamespace } from '../namespaces.ts';
import { present } from '../shape.ts';

/** A namespace that a tool stands in; `description` is the namespace's own. */
interface Namespace {
  readonly name: string;
  readonly description: string | undefined;
}

/** Where a tool came from goes with it, so that the vendor and the client are given the namespace back. */
const placeIn = (namespace: Namespace | undefined, name: string): JsonObject =>
  namespace === undefined ? {} : present({ namespace: namespace.name, name, namespace_description: namespace.description });

/** A function, or a custom tool with its `format`. This wire writes them flat. */
const decodeOwn = (tool: Members, kind: 'function' | 'custom', namespace?: Namespace): Tool => {
  const name = tool.requiredString('name');
  const known = {
    name: joinNamespace(namespace?.name ?? '', name),
    kind,
    description: tool.string('description'),
    schema: kind === 'function' ? tool.rawObject('parameters') : undefined,
    strict: kind === 'function' ? tool.boolean('strict') : undefined,
    cache: decodeCacheMark(tool),
  };
  const vendor = { ...tool.rest(), ...placeIn(namespace, name) };
  return present({ ...known, vendor: Object.keys(vendor).length === 0 ? undefined : vendor });
};

const isOwn = (type: string): type is 'function' | 'custom' => type === 'function' || type === 'custom';

/** The tools of a namespace under flat names. */
const decodeNamespace = (tool: Members): readonly Tool[] => {
  const namespace: Namespace = { name: tool.requiredString('name'), description: tool.string('description') };
  return (tool.array('tools') ?? []).map((value, index) => {
    const inner = readMembers(value, `${tool.at('tools')}[${index}]`);
    const type = inner.string('type') ?? 'function';
    return decodeOwn(inner, isOwn(type) ? type : 'function', namespace);
  });
};

/** Anything but a function, a custom tool or a namespace of them runs at its vendor, or by its contract, and travels whole. */
const decodeTool = (value: unknown, path: string): readonly Tool[] => {
  const tool = readMembers(value, path);
  const type = tool.requiredString('type');
  if (isOwn(type)) return [decodeOwn(tool, type)];
  if (type === 'namespace') return decodeNamespace(tool);
  return [{ kind: 'hosted', name: tool.string('name') ?? type, vendor: isObject(value) ? value : {} }];
};

export const decodeTools = (body: Members): readonly Tool[] => (body.array('tools') ?? []).flatMap((tool, index) => decodeTool(tool, `${body.at('tools')}[${index}]`));
