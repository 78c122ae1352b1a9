/** Scenario `storm`: many users of one document lose its server and come back at once, or open it at once for the first time. */
import { readingOf } from '../../harness/attached/protocols.ts';
import { scenarioOfServers } from '../live-server.ts';
import { combinations } from '../scenario.ts';
import { measureStorm, type StormCell, type StormExperiment } from './storm-trial.ts';

/** For the plan, as seen on two cores: what each of these takes. */
const COSTS_MS = { trial: 5000, edit: 0.1, user: 100, socket: 10 };

export const scenario = scenarioOfServers<StormExperiment, StormCell>('storm', {
  cells({ ways, edits, users: counts, live }, { frameworks, say }) {
    const cells = combinations<StormCell>({ framework: frameworks.keys(), way: ways, edits, users: counts });
    const isKnown = ({ framework, users }: StormCell) =>
      live === null || users <= live || readingOf(frameworks.get(framework)!.about) !== null;
    for (const framework of new Set(cells.filter((cell) => !isKnown(cell)).map((cell) => cell.framework))) {
      say(
        `${framework}: no cells of more than ${live} users (live): it is not known how a socket opens its documents; write live: null to give every user a client`,
      );
    }
    return cells.filter(isKnown);
  },
  estimateMs({ downForMs, live }, { way, edits, users }) {
    const sockets = Math.max(0, users - (live ?? users));
    const usersMs = (users - sockets) * COSTS_MS.user + sockets * COSTS_MS.socket;
    return COSTS_MS.trial + edits * COSTS_MS.edit + usersMs + (way === 'open' ? 0 : downForMs);
  },
  measure: measureStorm,
});
