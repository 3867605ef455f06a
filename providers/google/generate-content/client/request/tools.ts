import { invalidRequest, type JsonObject, type Tool, type ToolChoice } from '../../../../../core/api/index.ts';
import { lookUp, type Members, omitUndefined } from '../../../../../core/api/codec.ts';
import { prefixPaths } from '../../extra-members.ts';
import { readJsonSchema, readSchema } from '../../schema-dialect.ts';
import { readWebSearch } from '../../web-search.ts';
import { readItems } from './wire-members.ts';

/** The input schema of a function. JSON Schema wins over the dialect, since it can express more. */
const decodeSchema = (declaration: Members): Readonly<JsonObject> | undefined => {
  const schema = declaration.rawObject('parametersJsonSchema');
  const dialect = declaration.rawObject('parameters');
  if (schema !== undefined) return readJsonSchema(schema);
  return dialect === undefined ? undefined : readSchema(dialect);
};

const decodeFunction = (declaration: Members): Tool => {
  const name = declaration.requiredString('name');
  const description = declaration.string('description');
  const schema = decodeSchema(declaration);
  const vendor = declaration.unread();
  return omitUndefined({
    name,
    kind: 'function',
    description,
    schema,
    vendor: Object.keys(vendor).length === 0 ? undefined : vendor,
  });
};

/** One entry holds any number of functions, and vendor tools under their own names. */
const decodeTool = (tool: Members): readonly Tool[] => {
  const functions = readItems(tool, 'functionDeclarations').map(decodeFunction);
  const hosted = Object.entries(tool.unread()).map(([name, value]): Tool => ({
    name,
    kind: 'hosted',
    vendor: { [name]: value },
    ...readWebSearch(name, value),
  }));
  return [...functions, ...hosted];
};

/** https://ai.google.dev/api/caching#Tool */
export const decodeTools = (body: Members): readonly Tool[] => readItems(body, 'tools').flatMap(decodeTool);

interface DecodedToolConfig {
  readonly toolChoice?: ToolChoice;
  /** The unknown members of `toolConfig`. */
  readonly extra: JsonObject;
}

/**
 * The modes by their numbers, which the vendor's JSON mapper accepts. `VALIDATED` is 4 at the Gemini API and 5 at
 * Vertex AI: https://ai.google.dev/api/caching#Mode
 */
const modeNames: readonly string[] = ['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED', 'VALIDATED'];

/** `VALIDATED` is `AUTO` with arguments that match the schema. No other wire has it. */
const modes: Readonly<Record<string, ToolChoice['mode'] | undefined>> = {
  AUTO: 'auto',
  VALIDATED: 'auto',
  ANY: 'required',
  NONE: 'none',
  MODE_UNSPECIFIED: undefined,
};

const readMode = (config: Members): string => {
  const mode = config.value('mode');
  if (typeof mode === 'number') return modeNames[mode] ?? String(mode);
  return config.string('mode')?.toUpperCase() ?? 'MODE_UNSPECIFIED';
};

const decodeChoice = (config: Members): DecodedToolConfig => {
  const wireMode = readMode(config);
  if (!Object.hasOwn(modes, wireMode))
    throw invalidRequest(
      config.at('mode'),
      `'${config.at('mode')}' must be one of 'AUTO', 'ANY', 'NONE', 'VALIDATED'.`,
    );
  const only = config.strings('allowedFunctionNames') ?? [];
  const mode = lookUp(modes, wireMode) ?? (only.length > 0 ? 'auto' : undefined);
  const extra = { ...(wireMode === 'VALIDATED' ? { mode: wireMode } : {}), ...config.unread() };
  return omitUndefined({
    toolChoice: mode === undefined ? undefined : { mode, ...(only.length === 0 ? {} : { only }) },
    extra,
  });
};

/** https://ai.google.dev/api/caching#ToolConfig */
export function decodeToolConfig(body: Members): DecodedToolConfig {
  const config = body.object('toolConfig');
  const calling = config?.object('functionCallingConfig');
  const { toolChoice, extra } = calling === undefined ? { extra: {} } : decodeChoice(calling);
  const others = { ...config?.unread(), ...prefixPaths('functionCallingConfig', extra) };
  return omitUndefined({ toolChoice, extra: prefixPaths('toolConfig', others) });
}
