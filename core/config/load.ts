import { dirname, resolve } from 'node:path';
import { knowSecrets } from '../canonical/text/known-secrets.ts';
import type { JsonObject } from '../canonical/wire.ts';
import type { BuiltIns, Extension } from '../extensions/extension.ts';
import type { Registry } from '../extensions/registry.ts';
import { auditData } from './audit/index.ts';
import { checkOptions } from './validate/check-options.ts';
import { checkData, type CheckContext } from './checks/index.ts';
import { compileSettings } from './validate/compile-settings.ts';
import { describePath } from './describe-path.ts';
import type { Draft } from './schema/draft.ts';
import { freezeDeep } from './resolve/freeze.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { Environment } from './read/interpolate.ts';
import { loadExtensions } from './load-extensions.ts';
import { loadRegistry } from './load-registry.ts';
import { openConfig, type OpenedConfig } from './read/open-config.ts';
import { ConfigError, type Finding, type Path, type Problem } from './problem.ts';
import { resolveDraft } from './resolve/resolve.ts';
import { collectScalars, isOption } from './secrets/secret-places.ts';
import { secretsIn } from './secrets/secrets-in.ts';
import { validateData } from './validate/validate.ts';

/** A configuration that can be served: nothing of it is read, compiled or imported again. */
export interface LoadedConfig {
  /** As it was named. */
  readonly file: string;
  /** Every file that was read: this one, those it includes, those of `${file:…}`. Absolute. */
  readonly files: readonly string[];
  /** Of all settings in those files, with what their variables held when they were read; comments and layout make no difference. */
  readonly hash: string;
  readonly config: GatewayConfig;
  /** What the file says of settings for which the command line has said something else. */
  readonly overruled?: {
    readonly server?: Pick<GatewayConfig['server'], 'port'>;
    readonly admin?: Pick<GatewayConfig['admin'], 'port'>;
  };
  readonly extensions: {
    /** In the order of the file. */
    readonly plugins: readonly Extension<'plugin'>[];
    /** By their names under `providers`. */
    readonly providers: Readonly<Record<string, Extension<'provider'>>>;
  };
  readonly registry: Registry;
  /** Settings of extensions, as messages name them, that a variable or a file gave something to: whatever they are called, it may be a secret. */
  readonly filled: ReadonlySet<string>;
  readonly warnings: readonly Problem[];
}

/** Absolute: where relative paths in it begin. */
export const folderOf = ({ file }: Pick<LoadedConfig, 'file'>): string => dirname(resolve(file));

/** A configuration about which everything has been found out, good or not. */
export interface PreparedConfig {
  /** Advice included. */
  readonly findings: readonly Finding[];
  /** What an operator's security review would ask about besides. */
  audit(): readonly Finding[];
  readonly opened: OpenedConfig;
  /** Defaults filled in; nothing resolved. */
  readonly draft: Draft | undefined;
  /** The schema of the settings of an extension, by the path of its entry: `providers.openai`, `plugins[0]`. */
  schemaOf(entry: Path): JsonObject | undefined;
  /** @throws ConfigError with all problems at once */
  finish(): LoadedConfig;
}

/** The default of a variable stands in the file for all to see. */
const findFilled = ({ data, fillingsOf }: OpenedConfig): ReadonlySet<string> => {
  const options = [...collectScalars(data)].map(([path]) => path).filter(isOption);
  return new Set(
    options.filter((path) => fillingsOf(path).some((filling) => 'file' in filling || filling.isSet)).map(describePath),
  );
};

/**
 * Parses, interpolates, imports what `use:` names, validates against one composed schema and checks references.
 * @param file relative to the working directory
 * @throws ConfigError when there is nothing to go on with
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export async function prepareConfig(file: string, builtIns: BuiltIns, env: Environment): Promise<PreparedConfig> {
  const opened = await openConfig(file, env);
  const { data, isWritten, isShown, isResolved, fillingsOf } = opened;
  const from = resolve(file);
  const folder = folderOf({ file });

  const found = await loadExtensions(data, { from, builtIns, isShown, isResolved });
  const providers = Object.values(found.providers);
  const { registry, findings: clashes } = loadRegistry(builtIns, providers);
  const settings = compileSettings([...providers, ...found.plugins]);
  const { draft, findings: violations } = validateData(settings.validate, data, {
    isFilled: (path) => !isShown(path),
    isWritten,
  });
  const plugins = found.plugins.map(({ extension }) => extension);
  const byName = Object.fromEntries(Object.entries(found.providers).map(([name, { extension }]) => [name, extension]));
  const context: CheckContext = {
    data,
    registry,
    plugins,
    providers: byName,
    folder,
    isWritten,
    isShown,
    fillingsOf,
    env,
  };

  const findings = [
    ...found.findings,
    ...clashes,
    ...settings.findings,
    ...violations,
    ...checkOptions(found, { data, violations, isShown }),
    ...checkData(context),
  ];
  return {
    findings,
    audit: () => auditData(context),
    opened,
    draft,
    schemaOf: (entry) =>
      [...providers, ...found.plugins].find(({ path }) => path[0] === entry[0] && path[1] === entry[1])?.extension
        .definition.schema,
    finish: () => {
      const told = opened.collect(findings).filter(({ severity }) => severity !== 'advice');
      if (draft === undefined || told.some(({ severity }) => severity === 'error')) throw new ConfigError(told);
      const config = freezeDeep(resolveDraft(draft, { folder, registry, ownRoutes: isWritten(['routes']) }));
      knowSecrets(secretsIn(config));
      return {
        file,
        files: opened.files,
        hash: opened.hash,
        config,
        extensions: { plugins, providers: byName },
        registry,
        filled: findFilled(opened),
        warnings: told,
      };
    },
  };
}

/**
 * Reads `gateway.yaml`: {@link prepareConfig}, and resolves durations, sizes and paths.
 * @throws ConfigError with all problems at once
 * @throws GatewayError `KOINE_CONFIG_UNREADABLE`
 */
export const loadConfig = async (file: string, builtIns: BuiltIns, env: Environment): Promise<LoadedConfig> =>
  (await prepareConfig(file, builtIns, env)).finish();
