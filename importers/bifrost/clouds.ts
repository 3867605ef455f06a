import type { JsonObject } from '../../core/api/index.ts';
import { readObject } from '../../core/api/codec.ts';
import type { ConfigPath } from '../../core/api/internal.ts';
import type { Notes } from '../shared/notes.ts';
import type { Located } from '../shared/providers.ts';
import { plainText } from './plain-text.ts';

interface Cloud {
  /** The section of a key. */
  readonly section: string;
  /** Its settings, with their names here. */
  readonly settings: Readonly<Record<string, string>>;
}

/** By the built-in provider. */
const clouds: Readonly<Record<string, Cloud>> = {
  bedrock: {
    section: 'bedrock_key_config',
    settings: {
      region: 'region',
      access_key: 'accessKeyId',
      secret_key: 'secretAccessKey',
      session_token: 'sessionToken',
    },
  },
  vertex: {
    section: 'vertex_key_config',
    settings: { project_id: 'project', region: 'location', auth_credentials: 'credentials' },
  },
};

/** The section of a key that a provider has; undefined for those that are no cloud. */
export const cloudSection = (use: string): string | undefined => clouds[use]?.section;

/** Reads the region, the project and the credentials of a key of a cloud. Others of its settings get a note. */
export function readCloud(
  entry: JsonObject,
  at: ConfigPath,
  use: string,
  notes: Notes,
): Readonly<Record<string, Located>> {
  const cloud = clouds[use];
  if (cloud === undefined) return {};
  const written = readObject(entry[cloud.section]);
  notes.noteUnsupported(written, [...at, cloud.section], [...Object.keys(cloud.settings), 'deployments']);
  return Object.fromEntries(
    Object.entries(cloud.settings).flatMap(([name, ours]) => {
      const value = plainText(written[name]);
      return value === undefined ? [] : [[ours, { value, at: [...at, cloud.section, name] }] as const];
    }),
  );
}
