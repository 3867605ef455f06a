import { existsSync, readFileSync } from 'node:fs';
import { createRequire, type LoadHookSync, type ResolveHookContext, type ResolveHookSync } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CodeFile, ExtensionCode } from './code.ts';

/**
 * Node keeps each module for the life of the process, by its URL. The first version of a file has its plain URL, later
 * ones have `?version=N`. A file has a new version when it or an own file that it reaches has changed.
 */
interface Version {
  readonly url: string;
  readonly content: Buffer;
  /** The code that it was first loaded with: what it imports comes from there, also later. */
  readonly code: ExtensionCode;
  /** Whether an import of it has succeeded. */
  isLoaded: boolean;
  isCommonJs: boolean;
}

interface Versions {
  readonly byHash: Map<string, Version>;
  count: number;
}

const require = createRequire(import.meta.url);
const versionsOf = new Map<string, Versions>();
const byUrl = new Map<string, Version>();
/** The code that was adopted last, by each of its files. */
const current = new Map<string, ExtensionCode>();

/** A version whose import failed is not used again: Node keeps its error. */
const addVersion = (path: string, { content, hash }: CodeFile, code: ExtensionCode): void => {
  const versions = versionsOf.get(path) ?? { byHash: new Map<string, Version>(), count: 0 };
  versionsOf.set(path, versions);
  if (versions.byHash.get(hash)?.isLoaded === true) return;
  versions.count += 1;
  const url = `${pathToFileURL(path).href}${versions.count === 1 ? '' : `?version=${versions.count}`}`;
  const version = { url, content, code, isLoaded: false, isCommonJs: false };
  versions.byHash.set(hash, version);
  byUrl.set(url, version);
};

const findVersion = (path: string, code: ExtensionCode | undefined): Version | undefined => {
  const file = code?.files.get(path);
  return file === undefined ? undefined : versionsOf.get(path)?.byHash.get(file.hash);
};

/** The loader of CommonJS knows no URLs: it keeps modules by their path. */
const forgetChanged = (code: ExtensionCode): void => {
  for (const path of current.get(code.entry)?.files.keys() ?? [])
    if (!existsSync(path)) {
      current.delete(path);
      delete require.cache[path];
    }
  for (const [path, { hash }] of code.files)
    if (current.has(path) && current.get(path)?.files.get(path)?.hash !== hash) delete require.cache[path];
};

/** From now on, imports from outside of an extension load this code. */
export function adoptCode(code: ExtensionCode): void {
  forgetChanged(code);
  for (const [path, file] of code.files) {
    addVersion(path, file, code);
    current.set(path, code);
  }
}

/** The code has been imported without an error. @returns how many versions of its entry file this process holds */
export function confirmCode(code: ExtensionCode): number {
  for (const path of code.files.keys()) {
    const version = findVersion(path, code);
    if (version !== undefined) version.isLoaded = true;
  }
  return versionsOf.get(code.entry)?.count ?? 0;
}

/**
 * The code that an importer belongs to; undefined for an importer outside of extensions. CommonJS modules have no
 * versions in their URLs: theirs is the current one.
 */
const findImporterCode = ({ parentURL, conditions }: ResolveHookContext): ExtensionCode | undefined => {
  if (parentURL?.startsWith('file:') !== true) return undefined;
  const importer = byUrl.get(parentURL);
  const isCommonJs = conditions.includes('require') || importer?.isCommonJs === true;
  return isCommonJs ? current.get(fileURLToPath(parentURL)) : importer?.code;
};

const selectVersion = (path: string, context: ResolveHookContext): Version | undefined =>
  findVersion(path, findImporterCode(context)) ?? findVersion(path, current.get(path));

/** The version of a file that has been deleted, if the code of the importer has it. */
const selectDeleted = (specifier: string, context: ResolveHookContext): Version | undefined => {
  if (!/^(?:\.{1,2}\/|file:)/.test(specifier)) return undefined;
  const path = fileURLToPath(new URL(specifier, context.parentURL));
  return findVersion(path, findImporterCode(context) ?? current.get(path));
};

/** Adds the version to the URL of an own file. */
export const resolveVersion: ResolveHookSync = (specifier, context, nextResolve) => {
  try {
    const resolved = nextResolve(specifier, context);
    const isFile = resolved.url.startsWith('file:');
    const version = isFile ? selectVersion(fileURLToPath(resolved.url), context) : undefined;
    return version === undefined ? resolved : { ...resolved, url: version.url };
  } catch (thrown) {
    const version = selectDeleted(specifier, context);
    if (version === undefined) throw thrown;
    return { url: version.url, shortCircuit: true };
  }
};

const isUnchanged = (path: string, content: Buffer): boolean => {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
};

const ESM_SYNTAX = /^\s*(?:import|export)\b/m;

/** The format of a file that is gone, or whose ending and package.json do not determine it. */
const guessFormat = (path: string, content: string): string => {
  const [, kind, language] = /\.([cm]?)([jt]s)$/.exec(path) ?? [];
  if (language === undefined) return 'json';
  const isModule = kind === 'm' || (kind === '' && ESM_SYNTAX.test(content));
  return `${isModule ? 'module' : 'commonjs'}${language === 'ts' ? '-typescript' : ''}`;
};

/** Loads the content with which a version was adopted, also if the file has another one by now. */
export const loadVersion: LoadHookSync = (url, context, nextLoad) => {
  if (!url.startsWith('file:')) return nextLoad(url, context);
  const path = fileURLToPath(url);
  const isRequired = context.conditions.includes('require');
  const version = isRequired ? findVersion(path, current.get(path)) : byUrl.get(url);
  if (version === undefined || path.endsWith('.node')) return nextLoad(url, context);
  const { content } = version;
  const loaded = isUnchanged(path, content)
    ? nextLoad(url, context)
    : { format: context.format ?? guessFormat(path, content.toString()), source: content, shortCircuit: true };
  version.isCommonJs = loaded.format?.startsWith('commonjs') === true;
  if (isRequired && loaded.format?.startsWith('module') === true && versionsOf.get(path)?.byHash.size !== 1)
    throw new Error(
      `${path} is an ES module that has changed and is loaded by require(), for which Node keeps the old code: ` +
        'load it by import(), or restart the gateway',
    );
  return loaded;
};
