/** A proxy on this machine alone that signs what graphical clients send. */
@NullMarked
package dev.countersign.cli.proxy;

import org.jspecify.annotations.NullMarked;
