# What the frameworks of one experiment take beside the project, on top of its image. frameworks/image/ fills the folder that it is
# built from, and says the arguments.
ARG BASE
FROM ${BASE}

# What some servers are written in; yes or nothing.
ARG PYTHON
USER root
RUN if [ -n "$PYTHON" ]; then \
    apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o node .scriptorium/python; \
  fi
# For sources beside packages that are installed below.
RUN install -d -o node .scriptorium/frameworks
COPY outside/ /outside/
COPY pages/ /pages/
USER node

# Where those from outside lie, and the pages of those that have one of their own: JSON, by names.
ARG OUTSIDE
ARG PAGES
ENV SCRIPTORIUM_OUTSIDE=$OUTSIDE SCRIPTORIUM_PAGES=$PAGES
ARG FRAMEWORKS
# What they take is installed, and those from outside are tried.
RUN node cli/main.ts install $FRAMEWORKS
# By it, a run finds out whether the image on AWS is the one that it takes.
ARG DIGEST
ENV SCRIPTORIUM_LAYER=$DIGEST
