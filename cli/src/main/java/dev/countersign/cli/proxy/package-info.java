/** A proxy, reachable only from this machine, that signs requests of graphical clients. */
@NullMarked
package dev.countersign.cli.proxy;

import org.jspecify.annotations.NullMarked;
