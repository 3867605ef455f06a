import { compilePatterns } from '../canonical/text/compile-patterns.ts';
import { listSome } from '../canonical/text/list-some.ts';
import type { GatewayConfig, ProjectConfig } from '../config/gateway-config.ts';
import { describeSuggestion } from '../config/suggest.ts';
import { MAX_TAGS } from '../config/units/tags.ts';
import type { KeyChange, KeyRequest } from '../config/validate/read-key.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import { isTagged } from './key-format.ts';
import type { StoredKey } from './key-row.ts';
import { writeTime } from './listed-key.ts';

type Config = Pick<GatewayConfig, 'organizations' | 'models'>;
type Owned = Pick<KeyRequest, 'organization' | 'project' | 'name'>;

/** The error of a change that the state of the key rules out. */
export const refuse = ({ id }: StoredKey, state: string, what: string, advice = 'Create a new one'): GatewayError =>
  new GatewayError('conflict', `The key ${id} is ${state} and cannot be ${what}. ${advice}.`, { param: 'id' });

/** The error of a change of a key that the configuration defines. */
export const refuseConfigured = ({ organization, project, name }: Owned, advice: string): GatewayError =>
  new GatewayError(
    'conflict',
    `The key ${name} of ${organization}/${project} is defined in the configuration ` +
      `(organizations.${organization}.projects.${project}.keys.${name}). ${advice}`,
    { param: 'name' },
  );

const findOrganization = (
  { organizations }: Config,
  name: string,
): GatewayConfig['organizations'][string] | undefined =>
  Object.hasOwn(organizations, name) ? organizations[name] : undefined;

const findProject = (config: Config, organization: string, name: string): ProjectConfig | undefined => {
  const projects = findOrganization(config, organization)?.projects ?? {};
  return Object.hasOwn(projects, name) ? projects[name] : undefined;
};

/** A project that keys can be made in. */
export interface ProjectName {
  readonly organization: string;
  readonly project: string;
}

/** Where keys are that name no project, as the first one. The configuration need not have it. */
const DEFAULT: ProjectName = { organization: 'default', project: 'default' };

/** The projects of the configuration, and `default/default`. */
export const listProjects = (config: Config): readonly ProjectName[] => [
  ...(findProject(config, DEFAULT.organization, DEFAULT.project) === undefined ? [DEFAULT] : []),
  ...Object.entries(config.organizations).flatMap(([organization, { projects }]) =>
    Object.keys(projects).map((project) => ({ organization, project })),
  ),
];

/**
 * A mistyped project would make a key without the limits of the one that was meant.
 * @throws GatewayError `invalid_request` if neither the configuration has the project nor the request allows that
 */
export function checkProject(config: Config, { organization, project, allowUnknownProject }: KeyRequest): void {
  if (allowUnknownProject === true || findProject(config, organization, project) !== undefined) return;
  if (organization === DEFAULT.organization && project === DEFAULT.project) return;
  const known = listProjects(config).map((each) => `${each.organization}/${each.project}`);
  const path = `${organization}/${project}`;
  throw invalidRequest(
    findOrganization(config, organization) === undefined ? 'organization' : 'project',
    `The configuration has no project ${path}, so a key in it would have no limits but its own.` +
      (describeSuggestion(path, known) || ` It has ${listSome(known)}.`) +
      ' To create the key nevertheless, send "allowUnknownProject": true, or give --allow-unknown-project.',
  );
}

/** @throws GatewayError `conflict` if the configuration defines a key of this name */
export function checkFree(config: Config, key: Owned): void {
  if (Object.hasOwn(findProject(config, key.organization, key.project)?.keys ?? {}, key.name))
    throw refuseConfigured(key, 'Change it there, or choose another name.');
}

/** Checks the new settings of a key. @param now unix milliseconds @throws GatewayError */
export function checkSettings(
  config: Config,
  now: number,
  { organization, project }: Omit<Owned, 'name'>,
  { name, expiresAt, tags }: KeyChange,
): void {
  if (name !== undefined) {
    if (isTagged(name))
      throw invalidRequest(
        'name',
        'key.name looks like a secret key, but names appear in lists and logs. Choose another name.',
      );
    checkFree(config, { organization, project, name });
  }
  if (typeof expiresAt === 'number' && expiresAt <= now)
    throw invalidRequest('expires', `key.expires must be in the future, but is ${writeTime(expiresAt)}.`);
  const count = Object.keys({ ...findProject(config, organization, project)?.tags, ...tags }).length;
  if (tags && count > MAX_TAGS)
    throw invalidRequest(
      'tags',
      `key.tags has too many tags: with those of its project they are ${count}, and a request can have ${MAX_TAGS}.`,
    );
}

/** Settings of a key that have less effect than expected. */
export function findWarnings(
  config: Config,
  { organization, project, models: patterns }: Pick<KeyRequest, 'organization' | 'project' | 'models'>,
): readonly string[] {
  const ids = Object.keys(config.models);
  const unknown =
    findOrganization(config, organization) === undefined
      ? `organization ${organization}`
      : findProject(config, organization, project) === undefined
        ? `project ${organization}/${project}`
        : undefined;
  return [
    ...(unknown === undefined ? [] : [`The ${unknown} is not in the configuration, so it has no limits of its own.`]),
    ...patterns
      .filter((pattern) => !ids.some(compilePatterns([pattern])))
      .map((pattern) => `No model of the configuration matches ${JSON.stringify(pattern)}.`),
  ];
}

/** What a change of a key has less effect on than expected. */
export function findWarningsOfChange(config: Config, before: StoredKey, after: StoredKey): readonly string[] {
  const known = new Set(findWarnings(config, before));
  return [
    ...findWarnings(config, after).filter((warning) => !known.has(warning)),
    ...(before.name === after.name
      ? []
      : [`Limits and usage belong to the name: those of ${before.name} do not count for ${after.name}.`]),
  ];
}
