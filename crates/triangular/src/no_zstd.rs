//! A substitute for the crate `zstd` in the browser, which has no files. This module defines the
//! same names, but every call fails.

pub(crate) mod bulk {
    use std::io;

    pub(crate) fn compress(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn decompress(_: &[u8], _: usize) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(crate) mod stream {
    pub(crate) mod read {
        use std::convert::Infallible;
        use std::io::{self, BufRead, Read};
        use std::marker::PhantomData;

        pub(crate) struct Decoder<R>(Infallible, PhantomData<R>);

        impl<R: BufRead> Decoder<R> {
            pub(crate) fn with_buffer(_: R) -> io::Result<Decoder<R>> {
                Err(io::ErrorKind::Unsupported.into())
            }

            pub(crate) fn single_frame(self) -> Decoder<R> {
                self
            }

            pub(crate) fn finish(self) -> R {
                match self.0 {}
            }
        }

        impl<R> Read for Decoder<R> {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                match self.0 {}
            }
        }
    }

    pub(crate) mod write {
        use std::convert::Infallible;
        use std::io::{self, Write};
        use std::marker::PhantomData;

        pub(crate) struct Encoder<W>(Infallible, PhantomData<W>);

        impl<W: Write> Encoder<W> {
            pub(crate) fn new(_: W, _: i32) -> io::Result<Encoder<W>> {
                Err(io::ErrorKind::Unsupported.into())
            }

            pub(crate) fn finish(self) -> io::Result<W> {
                match self.0 {}
            }
        }

        impl<W> Write for Encoder<W> {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                match self.0 {}
            }

            fn flush(&mut self) -> io::Result<()> {
                match self.0 {}
            }
        }
    }
}
