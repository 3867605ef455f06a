import { dirname, resolve } from 'node:path';
import { knowSecrets } from '../canonical/text/known-secrets.ts';
import type { JsonObject } from '../canonical/wire.ts';
import { listBuiltInNames } from '../extensions/built-in.ts';
import type { BuiltIns, Extension } from '../extensions/extension.ts';
import type { Registry } from '../extensions/registry.ts';
import {
  certificatesOf,
  listCertificateFiles,
  readCertificateFiles,
  type CertificateFiles,
  type Certificates,
} from './certificates/read-certificates.ts';
import { auditData } from './audit/index.ts';
import { checkOptions } from './validate/check-options.ts';
import { checkData, type CheckContext } from './checks/index.ts';
import { compileSettings } from './validate/compile-settings.ts';
import { describePath } from './describe-path.ts';
import { composeSchema } from './schema/compose.ts';
import type { Draft } from './schema/draft.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { createKeyHints } from './hints/unknown-key.ts';
import type { Environment } from './read/interpolate.ts';
import { loadExtensions, type LoadedExtensions } from './load-extensions.ts';
import { loadRegistry } from './load-registry.ts';
import { hashConfig, openConfig, type AddedText, type OpenedConfig } from './read/open-config.ts';
import { ConfigError, type Finding, type Path, type Problem } from './problem.ts';
import { listPemFiles } from './resolve/read-pem.ts';
import { resolveDraft } from './resolve/resolve.ts';
import { collectScalars, isOption, isHiddenPath, OPTIONS_DEPTH } from './secrets/secret-paths.ts';
import { withoutSecrets } from './secrets/without-secrets.ts';
import { isWriteOnly } from './write/is-write-only.ts';
import { collectSecrets } from './secrets/collect-secrets.ts';
import { validateData } from './validate/validate.ts';

/** Freezes a value and everything it refers to. All requests share the configuration, so none must change it. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** A configuration that is ready to serve. Nothing of it is read, compiled or imported again. */
export interface LoadedConfig {
  /** The path as it was given. */
  readonly file: string;
  /**
   * Absolute paths of every file whose change may change the configuration: this one, its includes, those of
   * `${file:…}`, PEM files, and the own files of extensions.
   */
  readonly files: readonly string[];
  /**
   * Of all settings in those files after interpolation, without secrets. It is shown; comments and layout make no
   * difference.
   */
  readonly hash: string;
  /** The same with secrets. It is never shown: weak secrets could be guessed with it. */
  readonly digest: string;
  readonly config: GatewayConfig;
  /** The content of the files under `tls` of the listeners. Not part of the hash: each host can have its own. */
  readonly certificates: Certificates;
  /** The values of the file for settings that the command line overrides. */
  readonly overruled?: {
    readonly server?: Pick<GatewayConfig['server'], 'port'>;
    readonly admin?: Pick<GatewayConfig['admin'], 'port'>;
  };
  readonly extensions: {
    /** In the order of the file. */
    readonly plugins: readonly Extension<'plugin'>[];
    /** By name under `providers`. */
    readonly providers: Readonly<Record<string, Extension<'provider'>>>;
  };
  readonly registry: Registry;
  /**
   * The settings of extensions whose values come from a variable or a file, as {@link describePath} formats them. Such
   * a value may be a secret, whatever the setting is called.
   */
  readonly interpolatedOptions: ReadonlySet<string>;
  readonly warnings: readonly Problem[];
}

/** The absolute path to which relative paths of the configuration refer. */
export const folderOf = ({ file }: Pick<LoadedConfig, 'file'>): string => dirname(resolve(file));

/** A configuration after all checks, valid or not. */
export interface PreparedConfig {
  /** Including advice. */
  readonly findings: readonly Finding[];
  /** The additional findings of a security review. */
  audit(): readonly Finding[];
  readonly opened: OpenedConfig;
  /** With defaults, not yet resolved. Undefined when validation failed. */
  readonly draft: Draft | undefined;
  /** The schema of the settings of an extension, by the path of its entry: `providers.openai` or `plugins[0]`. */
  schemaOf(entry: Path): JsonObject | undefined;
  /**
   * Resolves and freezes the configuration.
   * @throws ConfigError with all problems
   */
  finish(): LoadedConfig;
}

/** A value that is the default of its variable is not included: it is readable in the file anyway. */
const findInterpolatedOptions = ({ data, substitutionsOf }: OpenedConfig): ReadonlySet<string> => {
  const { providers, plugins } = data;
  const options = collectScalars({ providers, plugins })
    .map(([path]) => path)
    .filter(isOption);
  return new Set(
    options
      .filter((path) => substitutionsOf(path).some((substitution) => 'file' in substitution || substitution.isSet))
      .map(describePath),
  );
};

const listExtensions = ({ plugins, providers }: LoadedExtensions): LoadedConfig['extensions'] => ({
  plugins: plugins.map(({ extension }) => extension),
  providers: Object.fromEntries(Object.entries(providers).map(([name, { extension }]) => [name, extension])),
});

/** Resolves and freezes a draft that has passed every check. */
const resolveConfig = (draft: Draft, opened: OpenedConfig, folder: string, registry: Registry): GatewayConfig => {
  const config = deepFreeze(resolveDraft(draft, { folder, registry, ownRoutes: opened.isWritten(['routes']) }));
  knowSecrets(collectSecrets(config));
  return config;
};

interface Finished extends Pick<LoadedConfig, 'file' | 'extensions' | 'registry'> {
  readonly folder: string;
  readonly opened: OpenedConfig;
  readonly findings: readonly Finding[];
  readonly draft: Draft | undefined;
  readonly certificates: CertificateFiles;
  readonly schemaOf: PreparedConfig['schemaOf'];
  /** The own files of extensions. */
  readonly files: readonly string[];
}

/** @throws ConfigError with all problems */
const finishConfig = ({ folder, opened, findings, draft, certificates, schemaOf, ...rest }: Finished): LoadedConfig => {
  const problems = opened.collect(findings).filter(({ severity }) => severity !== 'advice');
  const pemFiles = listPemFiles(opened.data, folder);
  const files = [...new Set([...opened.files, ...pemFiles, ...listCertificateFiles(certificates), ...rest.files])];
  if (draft === undefined || problems.some(({ severity }) => severity === 'error'))
    throw new ConfigError(problems, files);
  const config = resolveConfig(draft, opened, folder, rest.registry);
  const interpolatedOptions = findInterpolatedOptions(opened);
  const isSecret = (path: Path): boolean =>
    isHiddenPath(path) ||
    (isOption(path) &&
      (interpolatedOptions.has(describePath(path)) || isWriteOnly(schemaOf(path) ?? {}, path.slice(OPTIONS_DEPTH))));
  const pems =
    pemFiles.length === 0 ? [] : [config.store.redis, ...Object.values(config.providers)].map((peer) => peer?.tls);
  return {
    ...rest,
    files,
    hash: hashConfig([withoutSecrets(opened.data, isSecret), ...pems]),
    digest: hashConfig([opened.data, ...pems]),
    config,
    certificates: certificatesOf(certificates),
    interpolatedOptions,
    warnings: problems,
  };
};

/**
 * Parses and interpolates the files, imports extensions, validates against the composed schema and runs all checks.
 * @param file relative to the working directory
 * @throws ConfigError when a file is not usable YAML
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export async function prepareConfig(
  file: string,
  builtIns: BuiltIns,
  env: Environment,
  added?: AddedText,
): Promise<PreparedConfig> {
  const opened = await openConfig(file, env, added);
  const { data, isWritten, isShown, isResolved } = opened;
  const folder = folderOf({ file });

  const loaded = await loadExtensions(data, { from: resolve(file), builtIns, isShown, isResolved });
  const located = [...Object.values(loaded.providers), ...loaded.plugins];
  const { registry, findings: clashes } = loadRegistry(builtIns, Object.values(loaded.providers));
  const schema = compileSettings(located);
  const describeUnknownKey = createKeyHints(() => composeSchema(located.map(({ extension }) => extension)), data);
  const places = { isInterpolated: (path: Path) => !isShown(path), isWritten, describeUnknownKey };
  const { draft, findings: violations } = validateData(schema.validate, data, places);
  const extensions = listExtensions(loaded);
  const certificates = readCertificateFiles(data, folder);
  const builtInProviders = listBuiltInNames('provider', builtIns);
  const context: CheckContext = { ...opened, ...extensions, registry, builtInProviders, folder, certificates, env };
  const findings = [
    ...loaded.findings,
    ...clashes,
    ...schema.findings,
    ...violations,
    ...checkOptions(loaded, { data, violations, isShown }),
    ...checkData(context),
  ];
  const schemaOf: PreparedConfig['schemaOf'] = ([section, name]) =>
    located.find(({ path }) => path[0] === section && path[1] === name)?.extension.definition.schema;
  const { files } = loaded;
  return {
    findings,
    audit: () => auditData(context),
    opened,
    draft,
    schemaOf,
    finish: () =>
      finishConfig({ file, folder, opened, findings, draft, registry, extensions, certificates, schemaOf, files }),
  };
}

/**
 * Loads `gateway.yaml`: {@link prepareConfig}, then resolves durations, sizes and paths.
 * @throws ConfigError with all problems
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export const loadConfig = async (file: string, builtIns: BuiltIns, env: Environment): Promise<LoadedConfig> =>
  (await prepareConfig(file, builtIns, env)).finish();
