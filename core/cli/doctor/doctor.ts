import { loadConfig, type LoadedConfig } from '../../config/load.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { toGatewayError } from '../../errors/gateway-error.ts';
import { createRedact } from '../../server/explain/redact.ts';
import { examineVendor, type ExamineOptions } from '../../diagnostics/vendors/examine-vendor.ts';
import { explainFailure } from '../../diagnostics/vendors/explain-failure.ts';
import { openVendor } from '../../diagnostics/vendors/open-vendor.ts';
import { checkFormat, parseOperands, parseTimeout, unknownProvider } from '../command.ts';
import { doctorOptions } from '../options/configuration.ts';
import { isFinding, writeReport, type ExaminedProvider } from './report.ts';

/** The named providers; all of them without names. @throws MisuseError */
const selectProviders = ({ config }: LoadedConfig, names: readonly string[]): readonly string[] => {
  const known = Object.keys(config.providers);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownProvider(unknown, known);
  return names.length === 0 ? known : [...new Set(names)];
};

const examine = async (loaded: LoadedConfig, name: string, options: ExamineOptions): Promise<ExaminedProvider> => {
  const settings = loaded.config.providers[name];
  const use = settings?.use ?? '';
  try {
    const vendor = await openVendor(loaded, name);
    if (vendor === undefined) return { provider: name, use, credentials: [] };
    try {
      return { provider: name, use, credentials: await examineVendor(vendor, options) };
    } finally {
      await vendor.close();
    }
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (settings === undefined) throw error;
    return { provider: name, use, credentials: [], failure: explainFailure(error, settings) };
  }
};

/** `koine doctor`: uses each credential once, with the cheapest call. Exit code 1 where one of them fails. */
export async function doctor(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { values, positionals } = parseOperands(args, doctorOptions);
  const { config, format, generate } = values;
  checkFormat(format);
  const options = { generate, timeout: parseTimeout(values.timeout) };
  const loaded = await loadConfig(config, builtIns, process.env);
  const names = selectProviders(loaded, positionals);
  const examined = await Promise.all(names.map((name) => examine(loaded, name, options)));
  const providers = createRedact(loaded)(examined);
  const findings = providers.some((provider) => isFinding(provider, positionals.length > 0));
  process.stdout.write(
    format === 'json' ? `${JSON.stringify({ ok: !findings, providers }, undefined, 2)}\n` : writeReport(providers),
  );
  return findings ? 1 : 0;
}
