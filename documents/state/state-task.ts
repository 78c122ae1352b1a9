/** What the processes of one trial of scenario `state` are told. */

export interface Repetitions {
  warmUps: number;
  repetitions: number;
}

/** Replays a document and saves it, again and again. */
export interface SaveTask extends Repetitions {
  step: 'save';
  engine: string;
  /** The name of the encoding among the engine's. */
  encoding: string;
  edits: string;
  /** Where the saved document goes. */
  state: string;
}

/** Loads a saved document, again and again, in a process that has done nothing else. */
export interface LoadTask extends Repetitions {
  step: 'load';
  engine: string;
  state: string;
  /** For the text that it must hold. */
  edits: string;
}

/** Loads what a trial saved, by the client half of its framework. */
export interface LoadOfTrialTask extends Repetitions {
  step: 'load-of-trial';
  framework: string;
  state: string;
}

export type StateTask = SaveTask | LoadTask | LoadOfTrialTask;
