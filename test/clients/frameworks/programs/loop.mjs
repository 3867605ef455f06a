/** The gateway, and the models that each framework calls. */
export const url = process.env.KOINE_URL;
export const key = process.env.KOINE_KEY;
const models = process.env.MODELS.split(' ');

export const question = 'Weather in Oslo, Rome and Paris?';
export const instructions = 'Be brief.';
export const descriptions = { look_up: 'The weather of a city.', now: 'The time.' };
let calls = [];
export const lookUp = ({ city }) => {
  calls.push(city);
  return `Sunny in ${city}.`;
};
export const now = () => {
  calls.push('now');
  return '12:00';
};

/** Runs the loop over each wire of the client at each model, plain and streamed, and prints how each ended. */
export const runLoops = async (wires, run) => {
  for (const wire of wires)
    for (const model of models)
      for (const mode of ['plain', 'streamed']) {
        calls = [];
        const text = await run(wire, model, mode).catch((error) => `failed: ${error?.stack ?? error}`);
        process.stdout.write(`${JSON.stringify({ wire, model, mode, text, calls })}\n`);
      }
};
