import { isObject, type Members, omitUndefined, readMembers, type Tool } from '../../../../../core/index.ts';
import { decodeCacheMark } from '../../../chat-completions/client/request/parts.ts';
import { NAMESPACE_DESCRIPTION, joinNamespace } from '../../namespaces.ts';

/** A function, or a custom tool with its `format`. This wire writes them flat. */
const decodeOwn = (tool: Members, kind: 'function' | 'custom', namespace = ''): Tool => {
  const name = tool.requiredString('name');
  const known = {
    name: joinNamespace(namespace, name),
    kind,
    description: tool.string('description'),
    schema: kind === 'function' ? tool.rawObject('parameters') : undefined,
    strict: kind === 'function' ? tool.boolean('strict') : undefined,
    cache: decodeCacheMark(tool),
    namespace: namespace === '' ? undefined : { name: namespace, tool: name },
  };
  const vendor = tool.unread();
  return omitUndefined({ ...known, vendor: Object.keys(vendor).length === 0 ? undefined : vendor });
};

const isOwn = (type: string): type is 'function' | 'custom' => type === 'function' || type === 'custom';

/** The tools of a namespace under flat names. What is said of the namespace goes with the first: elsewhere it is lost, once. */
const decodeNamespace = (tool: Members): readonly Tool[] => {
  const name = tool.requiredString('name');
  const about = tool.string('description') ?? '';
  return (tool.array('tools') ?? []).map((value, index) => {
    const inner = readMembers(value, `${tool.at('tools')}[${index}]`);
    const type = inner.string('type') ?? 'function';
    const own = decodeOwn(inner, isOwn(type) ? type : 'function', name);
    return index > 0 || about === '' ? own : { ...own, vendor: { ...own.vendor, [NAMESPACE_DESCRIPTION]: about } };
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

export const decodeTools = (body: Members): readonly Tool[] =>
  (body.array('tools') ?? []).flatMap((tool, index) => decodeTool(tool, `${body.at('tools')}[${index}]`));
