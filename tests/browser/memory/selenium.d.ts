// The part of selenium-webdriver that these tests use; it has no types.
declare module 'selenium-webdriver' {
  export class WebDriver {
    get(url: string): Promise<void>;
    executeAsyncScript<T>(script: string, ...args: unknown[]): Promise<T>;
    getAllWindowHandles(): Promise<string[]>;
    switchTo(): { window(handle: string): Promise<void>; newWindow(type: 'tab' | 'window'): Promise<void> };
    manage(): { setTimeouts(limits: { script: number }): Promise<void> };
    close(): Promise<void>;
    quit(): Promise<void>;
  }
  export class Capabilities {
    constructor(capabilities: Record<string, unknown>);
  }
  export class Builder {
    usingServer(url: string): this;
    withCapabilities(capabilities: Capabilities): this;
    build(): Promise<WebDriver>;
  }
}
