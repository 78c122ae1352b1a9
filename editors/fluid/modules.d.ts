/** The part of Fluid that is used here, as it is only installed on demand. */

declare module 'fluid-framework/legacy' {
  export interface ISequenceDeltaRange {
    /** 0: inserted, 1: removed, 2: its properties changed. */
    operation: 0 | 1 | 2;
    /** Computed when it is read. */
    position: number;
    segment: { cachedLength: number; text?: string; properties?: Record<string, unknown> };
    /** The properties as they were before. */
    propertyDeltas: Record<string, unknown>;
  }
  export interface SequenceDeltaEvent {
    isLocal: boolean;
    ranges: readonly ISequenceDeltaRange[];
  }
  export interface ISharedString {
    insertText(position: number, text: string, properties?: Record<string, unknown>): void;
    removeText(start: number, end: number): void;
    annotateRange(start: number, end: number, properties: Record<string, unknown>): void;
    /** Its state, as it is uploaded with a document that begins. */
    getAttachSummary(fullTree: true): { summary: object };
    walkSegments(handler: (segment: ISequenceDeltaRange['segment']) => boolean): void;
    on(event: 'sequenceDelta', listener: (event: SequenceDeltaEvent) => void): void;
    off(event: 'sequenceDelta', listener: (event: SequenceDeltaEvent) => void): void;
  }
  export const SharedString: object;
}

declare module '@fluidframework/tinylicious-client' {
  import type { ISharedString } from 'fluid-framework/legacy';

  export interface FluidContainer {
    readonly connectionState: number;
    readonly isDirty: boolean;
    readonly initialObjects: { text: ISharedString };
    attach(): Promise<string>;
    dispose(): void;
    on(event: 'connected' | 'disconnected' | 'saved', listener: () => void): void;
    on(event: 'disposed', listener: (error?: { message: string }) => void): void;
  }
  interface Schema {
    initialObjects: { text: object };
  }
  export class TinyliciousClient {
    createContainer(schema: Schema, compatibility: '2'): Promise<{ container: FluidContainer }>;
    getContainer(id: string, schema: Schema, compatibility: '2'): Promise<{ container: FluidContainer }>;
  }
}
