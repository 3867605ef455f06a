import type { FuzzRequest } from '../http.ts';
import type { Random } from '../random.ts';
import type { StoredWire } from './wires.ts';

export const keys = { web: 'web-key-0123456789abcdef', shop: 'shop-key-0123456789abcdef' };
/** The keys of the two projects. */
export type Project = keyof typeof keys;

/** What each project has created. */
export type Created = Readonly<Record<Project, string>>;

/** A call with the id of something stored. */
export interface StoredCall {
  readonly request: FuzzRequest;
  /** What it refers to in its body, if that belongs to the other project. */
  readonly planted?: string;
  /** Its key is not of the project that owns what it names. */
  readonly isForeign: boolean;
}

export const headersOf = (project: Project): FuzzRequest['headers'] => ({
  'authorization': `Bearer ${keys[project]}`,
  'content-type': 'application/json',
});

const oddIds = ['', '..', '%2e%2e', '%2F', '%', '%00', '💥', 'resp_x', 'v1_x', '__proto__', 'a'.repeat(5_000)];
const respell = (id: string, { path }: StoredWire, random: Random): string =>
  random.pick([
    `${id}/`,
    `${id}%20`,
    id.toUpperCase(),
    `${id};a=b`,
    `..${path.slice(path.lastIndexOf('/'))}/${id}`,
    `${id}%2Fcancel`,
    `${id}%2F..`,
    ...oddIds,
  ]);
const parameters = [
  ['stream=true', 'stream=TRUE', 'stream=', 'starting_after=1', 'starting_after=-1', 'starting_after=1e400'],
  ['limit=0', 'limit=x', 'after=%00', 'order=asc', 'include[]=a', 'include[]=b', 'include=%', '%=%', '&&', '='],
  ['__proto__[x]=1', `a=${'b'.repeat(6_000)}`, 'stream=true&stream=false', '?', '%F0%9F', `key=${keys.web}`],
].flat();
const makeQuery = (random: Random): string =>
  random.chance(0.4) ? '' : `?${Array.from({ length: 1 + random.below(4) }, () => random.pick(parameters)).join('&')}`;

/** A call about a stored response. */
export const makeCall = (wire: StoredWire, created: Created, random: Random): StoredCall => {
  const [usual, suffix] = random.pick(wire.calls);
  const method = random.chance(0.9) ? usual : random.pick(['HEAD', 'PUT', 'PATCH', 'OPTIONS', 'POST', 'GET']);
  const [owner, project] = [random.chance(0.8) ? 'web' : 'shop', random.chance(0.8) ? 'web' : 'shop'] as const;
  const id = random.chance(0.7) ? created[owner] : respell(created[owner], wire, random);
  const path = `${wire.path}/${id}${suffix}${makeQuery(random)}`;
  const pieces = method === 'POST' && random.chance(0.5) ? [Buffer.from(random.pick(['{}', '{', '[[', '\u0000']))] : [];
  return {
    request: { method, path: encodeURI(path).replaceAll('%25', '%'), headers: headersOf(project), pieces },
    isForeign: owner !== project,
  };
};

/** A request that continues an earlier response: its own, that of the other project, or none. */
export const makeContinuation = (wire: StoredWire, created: Created, random: Random): StoredCall => {
  const [owner, project] = [random.pick(['web', 'shop'] as const), random.pick(['web', 'shop'] as const)];
  const isForeign = owner !== project;
  const previous = isForeign || random.chance(0.7) ? created[owner] : random.pick(oddIds);
  const extra = random.pick([{}, { store: false }, { stream: true }, { background: true }, { [wire.previous]: null }]);
  // With the member twice, the last one counts.
  const body = JSON.stringify({ model: wire.model, input: 'Go on', ...extra }).replace(
    /\}$/,
    `,"${wire.previous}":${JSON.stringify(previous)}}`,
  );
  return {
    request: { path: wire.path, headers: headersOf(project), pieces: [Buffer.from(body)] },
    ...(isForeign ? { planted: previous } : {}),
    isForeign,
  };
};
