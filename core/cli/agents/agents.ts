import { compilePatterns } from '../../canonical/text/compile-patterns.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { loadConfig } from '../../config/load.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { addressOf } from '../admin-client.ts';
import { MisuseError, parseOptions, takeOperand } from '../command.ts';
import { agentsOptions } from '../options/requests.ts';
import { agentSetUps, type AgentSetUp } from '../../catalog/agent-set-ups.ts';

/** Refuses a model that no request could use. */
const checkModel = ({ models, aliases }: GatewayConfig, model: string): void => {
  const names = [...Object.keys(models), ...Object.keys(aliases)];
  if (compilePatterns(names)(model)) return;
  throw new MisuseError(
    `The configuration has no model or alias "${model}". "koine catalog" lists them.` +
      describeSuggestion(model, names),
  );
};

const format = ({ title, file, commands }: AgentSetUp): string =>
  `${title}\n${'='.repeat(title.length)}\n\n` +
  (file === undefined ? '' : `${file.path}:\n\n${file.text}\n`) +
  `Commands, with the key in KOINE_KEY:\n\n${commands}`;

/** `koine agents [NAME]`: prints the lines that connect coding agents to the gateway of the configuration. */
export async function agents(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const [name, options] = takeOperand(args);
  const names = Object.keys(agentSetUps);
  if (name !== undefined && !Object.hasOwn(agentSetUps, name))
    throw new MisuseError(`koine agents knows ${names.join(', ')}, not "${name}".${describeSuggestion(name, names)}`);
  const { config: file, url, model } = parseOptions(options, agentsOptions);
  if (url !== undefined && !/^https?:\/\/[^/\s]+$/.test(url))
    throw new MisuseError(`--url must look like https://gateway.example, without a path, not "${url}".`);
  const { config } = await loadConfig(file, builtIns, process.env);
  const chosen = model ?? Object.keys(config.models).find((id) => !id.includes('*'));
  if (chosen === undefined) throw new MisuseError('The configuration names no single model. Give one with --model.');
  checkModel(config, chosen);
  const target = { url: url ?? addressOf(config.server), model: chosen };
  const setUps = Object.entries(agentSetUps)
    .filter(([each]) => name === undefined || each === name)
    .map(([, setUp]) => setUp(target));
  console.log(setUps.map(format).join('\n'));
  for (const setUp of setUps) warnOfWire(config, chosen, setUp);
  return 0;
}

const warnOfWire = ({ models, aliases }: GatewayConfig, name: string, { title, needsWire }: AgentSetUp): void => {
  const id = aliases[name] ?? name;
  const wires: readonly string[] = (Object.hasOwn(models, id) ? models[id]?.wires : undefined) ?? [];
  if (needsWire !== undefined && Object.hasOwn(models, id) && !wires.includes(needsWire))
    console.error(`warning: ${title} needs the wire ${needsWire}: add it to models.${id}.wires.`);
};
